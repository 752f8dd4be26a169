import type { ArgsDef } from 'citty'

/** Which server is asked, and as whom. */
export const serverArguments = {
  server: { type: 'string', valueHint: 'URL', description: 'Server to use instead of the configured one' },
  token: {
    type: 'string',
    valueHint: 'TOKEN',
    description: 'User token. Safer: SVC_TOKEN, because other users of the machine can see arguments',
  },
  profile: {
    type: 'string',
    alias: 'P',
    valueHint: 'NAME',
    description: 'Profile of the configuration file',
  },
  insecure: { type: 'boolean', description: 'Accept an untrusted certificate' },
} as const satisfies ArgsDef

/** How a command answers. */
export const outputArguments = {
  quiet: { type: 'boolean', alias: 'q', description: 'Print only the result' },
  json: { type: 'boolean', alias: 'j', description: 'Print the result as one JSON value, for scripts' },
} as const satisfies ArgsDef

/** How files travel. */
export const transferArguments = {
  concurrency: {
    type: 'string',
    valueHint: 'NUMBER',
    description: 'Files transferred in parallel (default: 4)',
  },
  'limit-rate': {
    type: 'string',
    valueHint: 'BYTES',
    description: 'Maximum transfer rate in bytes per second: 500k, 2MB',
  },
  retries: {
    type: 'string',
    valueHint: 'NUMBER',
    description: 'Retries after a broken connection; progress resets the count (default: 5)',
  },
} as const satisfies ArgsDef

/** What may stand before the name of a command, too. */
export const leadingArguments: ArgsDef = { ...serverArguments, ...outputArguments }
