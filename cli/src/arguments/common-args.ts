import type { ArgsDef } from 'citty'

/** The server and the credentials. */
export const serverArgsDef = {
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
    description: 'Profile of the configuration file; of several (`work,short`), later ones win',
  },
  insecure: { type: 'boolean', description: 'Accept an untrusted certificate' },
} as const satisfies ArgsDef

/** The output of a command. */
export const outputArgsDef = {
  quiet: { type: 'boolean', alias: 'q', description: 'Print only the result' },
  json: { type: 'boolean', alias: 'j', description: 'Print the result as one JSON value, for scripts' },
} as const satisfies ArgsDef

/** The credentials of a protected upload. */
export const passwordArgsDef = {
  password: {
    type: 'string',
    alias: 'p',
    valueHint: '[LOGIN:]PASSWORD',
    description: 'Password of a protected upload. Safer: SVC_PASSWORD, or enter it when asked',
  },
} as const satisfies ArgsDef

/** The transfer of files. */
export const transferArgsDef = {
  concurrency: {
    type: 'string',
    valueHint: 'NUMBER',
    description: 'Files transferred in parallel (default: 4; 16 for files up to 64 KiB)',
  },
  'limit-rate': {
    type: 'string',
    valueHint: 'BYTES',
    description: 'Maximum transfer rate in bytes per second: 500k, 2MB',
  },
  retries: {
    type: 'string',
    valueHint: 'NUMBER',
    description: 'Retries after a broken connection; progress resets the count (default: 10)',
  },
} as const satisfies ArgsDef

/** Options that may also precede the name of a command. */
export const leadingArgsDef: ArgsDef = { ...serverArgsDef, ...outputArgsDef }
