import { configArgument } from './read-config.ts'

/** The options of every command that answers something. */
export const commonArguments = {
  json: { type: 'boolean', description: 'Answer with one JSON value, for scripts' },
  ...configArgument,
} as const

/** The user that a command is about. */
export const userArgument = {
  user: { type: 'positional', required: true, description: 'Id (PROVIDER:…), or the login of a local user' },
} as const

export const defaultRows = 100

/** How much of a listing is answered. */
export const limitArgument = {
  limit: {
    type: 'string',
    description: `How many at most, ${String(defaultRows)} by default`,
    valueHint: 'NUMBER',
  },
} as const
