import type { ArgsDef, ParsedArgs } from 'citty'
import { outputArgsDef, serverArgsDef, transferArgsDef } from '../arguments/common-args.ts'

export const sendArgsDef = {
  link: { type: 'positional', required: true, description: 'Link of an upload request' },
  files: {
    type: 'positional',
    required: false,
    valueHint: '…',
    description: 'Files and folders; `-` is standard input',
  },
  sender: { type: 'string', valueHint: 'NAME', description: 'Your name, for the owner of the request' },
  comments: { type: 'string', valueHint: 'TEXT', description: 'A message to the owner (Markdown)' },
  name: {
    type: 'string',
    alias: 'n',
    valueHint: 'NAME',
    description: 'Name of the file, if there is only one',
  },
  password: {
    type: 'string',
    alias: 'p',
    valueHint: 'PASSWORD',
    description: 'Password of a protected request. Safer: SVC_PASSWORD, or enter it when asked',
  },
  yes: { type: 'boolean', alias: 'y', description: 'Skip files that cannot be sent' },
  ...serverArgsDef,
  ...outputArgsDef,
  quiet: { ...outputArgsDef.quiet, description: 'Print only the id of the upload' },
  ...transferArgsDef,
} as const satisfies ArgsDef

export type SendArgs = Partial<ParsedArgs<typeof sendArgsDef>>
