import type { ArgsDef, ParsedArgs } from 'citty'
import { outputArguments, serverArguments, transferArguments } from './common.ts'

export const getArguments = {
  links: {
    type: 'positional',
    required: true,
    valueHint: '…',
    description: 'Links of pages or files, or ids of uploads',
  },
  file: {
    type: 'string',
    alias: 'f',
    valueHint: 'PATTERN',
    description: 'Only files of such names (`*.jpg`); may be given several times',
  },
  output: {
    type: 'string',
    alias: 'o',
    valueHint: 'PATH',
    description: 'Folder, name of the only file, or `-` for standard output',
  },
  extract: {
    type: 'boolean',
    alias: 'x',
    description:
      'Unpack archives (zip, tar, tar.gz, tar.zst) where they would be saved, and keep only what was in them',
  },
  yes: { type: 'boolean', alias: 'y', description: 'Overwrite files that are there' },
  password: {
    type: 'string',
    alias: 'p',
    valueHint: '[LOGIN:]PASSWORD',
    description: 'Of a protected upload. Safer in SVC_PASSWORD, or asked for',
  },
  verify: {
    type: 'boolean',
    default: true,
    description: 'Compare checksums',
    negativeDescription: 'Do not compare checksums',
  },
  passphrase: {
    type: 'string',
    valueHint: 'TEXT',
    description: 'Decrypts, where the link carries none. Safer in SVC_PASSPHRASE, or asked for',
  },
  identity: {
    type: 'string',
    alias: 'i',
    valueHint: 'FILE',
    description:
      'Decrypts with the keys of a file: of age-keygen, or a private SSH key; may be given several times',
  },
  decrypt: {
    type: 'boolean',
    default: true,
    description: 'Decrypt what is encrypted',
    negativeDescription: 'Keep encrypted files as they are',
  },
  ...serverArguments,
  ...outputArguments,
  ...transferArguments,
} as const satisfies ArgsDef

export type GivenGet = ParsedArgs<typeof getArguments>
