import { configArgument } from './read-config.ts'

/** The options of every command with a result. */
export const commonArguments = {
  json: { type: 'boolean', description: 'Print one JSON value, for scripts' },
  ...configArgument,
} as const

/** The user that a command works on. */
export const userArgument = {
  user: { type: 'positional', required: true, description: 'Id (PROVIDER:…), or the login of a local user' },
} as const

/** Restricts a command to some uploads. */
export const uploadFilterArguments = {
  user: {
    type: 'string',
    description: 'Only uploads of this user: an id, or the login of a local user',
    valueHint: 'USER',
  },
  address: {
    type: 'string',
    description: 'Only uploads from this address or network',
    valueHint: 'NETWORK',
  },
} as const

/** Skips the confirmation. */
export const yesArgument = {
  yes: { type: 'boolean', description: 'Skip the confirmation; required without a terminal' },
} as const

export const defaultRows = 100

/** How many rows of a list a command prints. */
export const limitArgument = {
  limit: {
    type: 'string',
    description: `Maximum number of rows, ${String(defaultRows)} by default`,
    valueHint: 'NUMBER',
  },
} as const
