import type { ArgsDef, ParsedArgs } from 'citty'
import { archiveFormats } from './archive-format.ts'
import { outputArgsDef, serverArgsDef, transferArgsDef } from './common-args.ts'

export const uploadArgsDef = {
  files: {
    type: 'positional',
    required: false,
    valueHint: '…',
    description: 'Files and folders; `-` is standard input',
  },
  oneshot: { type: 'boolean', alias: 'o', description: 'Each file can be downloaded once' },
  downloads: {
    type: 'string',
    valueHint: 'NUMBER',
    description: 'How many times each file can be downloaded',
  },
  removable: { type: 'boolean', description: 'Recipients can delete files' },
  stream: {
    type: 'boolean',
    alias: 'S',
    description: 'Send straight to the recipient; nothing is stored',
  },
  ttl: {
    type: 'string',
    alias: ['t', 'expires'],
    valueHint: 'DURATION',
    description: 'Time to live: 90s, 12h, 30d, 1d12h, unlimited; 0 is the default of the server',
  },
  'extend-ttl': { type: 'boolean', description: 'Each download restarts the time to live' },
  password: {
    type: 'string',
    alias: 'p',
    valueHint: '[LOGIN:]PASSWORD',
    description: 'Protect with a password; `-` asks for it (other users of the machine can see arguments)',
  },
  comments: { type: 'string', valueHint: 'TEXT', description: 'Comments shown on the page (Markdown)' },
  alias: {
    type: 'string',
    valueHint: 'NAME',
    description:
      'The end of the link, such as holiday-2026; needs an account (svc login). Anyone can guess it: set a password',
  },
  name: {
    type: 'string',
    alias: 'n',
    valueHint: 'NAME',
    description: 'Name of the file, if there is only one',
  },
  archive: {
    type: 'string',
    alias: 'a',
    valueHint: 'FORMAT',
    description: `Send all files as one archive: ${archiveFormats.join(', ')}`,
  },
  encrypt: {
    type: 'boolean',
    alias: 's',
    description:
      'Encrypt end to end (age format) before the upload, with a generated passphrase unless one is given',
  },
  passphrase: {
    type: 'string',
    valueHint: 'TEXT',
    description:
      'Passphrase for encryption; `-` asks for it. Safer: SVC_PASSPHRASE, because other users of the machine can see arguments',
  },
  recipient: {
    type: 'string',
    alias: 'r',
    valueHint: 'KEY',
    description:
      'Encrypt for `age1…`, `ssh-ed25519 …`, `ssh-rsa …`, `github:USER`, the keys at an address (`https://…`), a name of svc keys, or the keys in a file; repeatable',
  },
  'recipients-file': {
    type: 'string',
    alias: 'R',
    valueHint: 'FILE',
    description: 'Encrypt for the keys in a file, one per line; repeatable',
  },
  to: {
    type: 'string',
    valueHint: 'ADDRESS',
    description:
      'Send to a server that is not Svc: tus+https://HOST/files/ (tus 1.0), put+https://HOST/ (transfer.sh and others that take PUT), plik+https://HOST (Plik)',
  },
  mail: {
    type: 'string',
    valueHint: 'ADDRESS',
    description: 'Send the link to an email address after the upload, from your account; repeatable',
  },
  message: { type: 'string', valueHint: 'TEXT', description: 'Text for the email of --mail' },
  ...serverArgsDef,
  ...outputArgsDef,
  quiet: { ...outputArgsDef.quiet, description: 'Print only the links of the files, one per line' },
  link: {
    type: 'string',
    valueHint: 'KIND',
    description:
      'Print only the link of the page (page), or one for each file (file). Default: page unless standard output is a terminal, file with --quiet',
  },
  qr: { type: 'boolean', description: 'Show a QR code of the link after the upload' },
  notify: { type: 'boolean', description: 'Show a notification on the desktop at the end' },
  yes: { type: 'boolean', alias: 'y', description: 'Do not ask; skip files that cannot be sent' },
  ...transferArgsDef,
} as const satisfies ArgsDef

/** The options of an upload. Commands that continue an earlier upload have only some of them. */
export type UploadArgs = Partial<ParsedArgs<typeof uploadArgsDef>>
