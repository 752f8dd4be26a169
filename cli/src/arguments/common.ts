import type { ArgsDef } from 'citty'

/** Which server is asked, and as whom. */
export const serverArguments = {
  server: { type: 'string', valueHint: 'URL', description: 'Server to ask, instead of the configured one' },
  token: {
    type: 'string',
    valueHint: 'TOKEN',
    description: 'User token. Safer in SVC_TOKEN: other users of a machine see arguments',
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
  quiet: { type: 'boolean', alias: 'q', description: 'Print nothing but the answer' },
  json: { type: 'boolean', alias: 'j', description: 'Answer with one JSON value, for scripts' },
} as const satisfies ArgsDef

/** How files travel. */
export const transferArguments = {
  concurrency: { type: 'string', valueHint: 'NUMBER', description: 'Files at a time (default: 4)' },
  'limit-rate': { type: 'string', valueHint: 'BYTES', description: 'Bytes a second: 500k, 2MB' },
  retries: {
    type: 'string',
    valueHint: 'NUMBER',
    description: 'How often a connection may break without a byte in between (default: 5)',
  },
} as const satisfies ArgsDef

/** What may stand before the name of a command, too. */
export const leadingArguments: ArgsDef = { ...serverArguments, ...outputArguments }
