import type { ArgsDef, ParsedArgs } from 'citty'
import { outputArgsDef, passwordArgsDef, serverArgsDef, transferArgsDef } from './common-args.ts'

export const getArgsDef = {
  links: {
    type: 'positional',
    required: true,
    valueHint: '…',
    description: 'Links of uploads or files, upload ids, or addresses of files on any web server',
  },
  file: {
    type: 'string',
    alias: 'f',
    valueHint: 'PATTERN',
    description: 'Only files whose name matches (`*.jpg`); repeatable',
  },
  output: {
    type: 'string',
    alias: 'o',
    valueHint: 'PATH',
    description: 'Folder, file name for a single file, or `-` for standard output',
  },
  extract: {
    type: 'boolean',
    alias: 'x',
    description:
      'Unpack archives (zip, tar, tar.gz, tar.zst, tar.xz, tar.bz2) into the target folder instead of saving them',
  },
  yes: { type: 'boolean', alias: 'y', description: 'Overwrite existing files' },
  hidden: { type: 'boolean', description: 'Also save hidden files, such as .bashrc, without a question' },
  ...passwordArgsDef,
  verify: {
    type: 'boolean',
    default: true,
    description: 'Verify checksums',
    negativeDescription: 'Do not verify checksums',
  },
  passphrase: {
    type: 'string',
    valueHint: 'TEXT',
    description:
      'Passphrase for decryption if the link has none. Safer: SVC_PASSPHRASE, or enter it when asked',
  },
  identity: {
    type: 'string',
    alias: 'i',
    valueHint: 'FILE',
    description:
      'Decrypt with the keys in a file from age-keygen or from a plugin of age, even if age -p encrypted it, or with a private SSH key; repeatable',
  },
  decrypt: {
    type: 'boolean',
    default: true,
    description: 'Decrypt encrypted files',
    negativeDescription: 'Keep files encrypted',
  },
  ...serverArgsDef,
  ...outputArgsDef,
  notify: { type: 'boolean', description: 'Show a notification on the desktop at the end' },
  jobs: {
    type: 'string',
    valueHint: 'NUMBER',
    description: 'Connections that share the download of each large file (default: 1)',
  },
  ...transferArgsDef,
} as const satisfies ArgsDef

export type GetArgs = ParsedArgs<typeof getArgsDef>

/** The options for saving files, from any source. */
export type SaveArgs = Partial<Pick<GetArgs, 'output' | 'yes' | 'hidden' | 'extract' | 'quiet' | 'json'>>
