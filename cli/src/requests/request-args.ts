import type { ArgsDef, ParsedArgs } from 'citty'
import { limits, parseTypedSize, senderNames, afterEndValues, type NewUploadRequest } from '@svc/contract'
import { outputArgsDef, serverArgsDef, transferArgsDef } from '../arguments/common-args.ts'
import { usedOptionNames } from '../arguments/check-arguments.ts'
import { parseLifetimeOption } from '../arguments/option-values.ts'
import { usageFailure } from '../errors/failure.ts'

export const requestActions = ['new', 'ls', 'show', 'get', 'close', 'open', 'rm'] as const
export type RequestAction = (typeof requestActions)[number]

export const requestArgsDef = {
  subcommand: {
    type: 'positional',
    required: false,
    description: `One of ${requestActions.join(', ')} (default: ls)`,
  },
  what: {
    type: 'positional',
    required: false,
    description: 'With new: the title. Otherwise the link or the id of a request',
  },
  message: {
    type: 'string',
    valueHint: 'TEXT',
    description: 'With new: a message to the senders (Markdown)',
  },
  ttl: {
    type: 'string',
    alias: ['t', 'expires'],
    valueHint: 'DURATION',
    description: 'With new: how long the request accepts files: 12h, 30d, unlimited',
  },
  'max-files': {
    type: 'string',
    valueHint: 'NUMBER',
    description: 'With new: maximum number of files in total',
  },
  'max-size': {
    type: 'string',
    valueHint: 'BYTES',
    description: 'With new: maximum bytes in total: 500M, 2G',
  },
  'max-file-size': { type: 'string', valueHint: 'BYTES', description: 'With new: maximum bytes per file' },
  extensions: {
    type: 'string',
    valueHint: 'LIST',
    description: 'With new: allowed extensions: pdf,jpg',
  },
  'one-sender': { type: 'boolean', description: 'With new: accept a single upload' },
  'sender-name': {
    type: 'string',
    valueHint: 'WORD',
    description: `With new: whether senders give their name: ${senderNames.join(', ')}`,
  },
  password: {
    type: 'string',
    alias: 'p',
    valueHint: 'PASSWORD',
    description: 'With new: senders need this password; `-` asks for it. Safer: SVC_PASSWORD',
  },
  'upload-ttl': {
    type: 'string',
    valueHint: 'DURATION',
    description: 'With new: how long the server keeps what it receives',
  },
  'after-end': {
    type: 'string',
    valueHint: 'WORD',
    description: `With new: what happens to the received files when the request ends: ${afterEndValues.join(', ')}`,
  },
  encrypt: {
    type: 'boolean',
    default: true,
    description: 'Encrypt end to end for a new key on this computer',
    negativeDescription: 'With new: senders do not encrypt; with get: keep files encrypted',
  },
  key: { type: 'boolean', description: 'With show: print the private key, to save or print it elsewhere' },
  output: { type: 'string', alias: 'o', valueHint: 'PATH', description: 'With get: folder for the files' },
  watch: {
    type: 'boolean',
    alias: 'w',
    description: 'With get: wait for further files until you press Ctrl-C',
  },
  identity: {
    type: 'string',
    alias: 'i',
    valueHint: 'FILE',
    description: 'With get: decrypt with the keys in a file, if this computer has not made the request',
  },
  yes: {
    type: 'boolean',
    alias: 'y',
    description: 'Skip the confirmation, and overwrite existing files; without a terminal, rm never asks',
  },
  hidden: {
    type: 'boolean',
    description: 'With get: also save hidden files, such as .bashrc, without a question',
  },
  ...serverArgsDef,
  ...outputArgsDef,
  ...transferArgsDef,
} as const satisfies ArgsDef

/** The subcommands of an option; those that are missing here belong to all. */
const actionsByOption: Readonly<Partial<Record<keyof typeof requestArgsDef, readonly RequestAction[]>>> = {
  message: ['new'],
  ttl: ['new'],
  'max-files': ['new'],
  'max-size': ['new'],
  'max-file-size': ['new'],
  extensions: ['new'],
  'one-sender': ['new'],
  'sender-name': ['new'],
  password: ['new'],
  'upload-ttl': ['new'],
  'after-end': ['new'],
  encrypt: ['new', 'get'],
  key: ['show'],
  output: ['get'],
  watch: ['get'],
  identity: ['get'],
  hidden: ['get'],
  concurrency: ['get'],
  'limit-rate': ['get'],
  retries: ['get'],
}

/**
 * Refuses the options of other subcommands, which would change nothing.
 * @param rawArgs arguments after `svc request`
 * @throws Failure
 */
export function refuseOtherOptions(action: RequestAction, rawArgs: readonly string[]): void {
  for (const name of usedOptionNames(requestArgsDef, rawArgs)) {
    const actions = actionsByOption[name.replace(/^no-/, '') as keyof typeof requestArgsDef]
    if (actions === undefined || actions.includes(action)) continue
    throw usageFailure(
      `--${name} belongs to ${actions.map((subcommand) => `svc request ${subcommand}`).join(' and ')}`,
    )
  }
}

export type RequestArgs = Partial<ParsedArgs<typeof requestArgsDef>>

/**
 * The settings of a new request.
 * @throws Failure
 */
export function parseNewRequest(title: string, args: RequestArgs): NewUploadRequest {
  const { message, extensions, 'one-sender': oneSender, password } = args
  const settings = {
    message,
    ttl: parseLifetimeOption('ttl', args.ttl),
    maxFiles: parseMaxFiles(args['max-files']),
    maxSize: parseSize('max-size', args['max-size']),
    maxFileSize: parseSize('max-file-size', args['max-file-size']),
    extensions: parseExtensions(extensions),
    oneSender,
    senderName: parseWord('sender-name', senderNames, args['sender-name']),
    password,
    uploadTTL: parseLifetimeOption('upload-ttl', args['upload-ttl']),
    afterEnd: parseWord('after-end', afterEndValues, args['after-end']),
  }
  const set = Object.entries(settings).filter(([, value]) => value !== undefined)
  return { title, ...(Object.fromEntries(set) as Omit<NewUploadRequest, 'title'>) }
}

/** Without a restriction, the option is left out. */
function parseExtensions(value: string | undefined): readonly string[] | undefined {
  const extensions = value
    ?.split(',')
    .map((extension) => extension.trim())
    .filter((extension) => extension !== '')
  if (extensions?.length !== 0) return extensions
  throw usageFailure(`--extensions must name extensions such as pdf,jpg; not ${String(value)}`)
}

function parseSize(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const bytes = parseTypedSize(value)
  if (bytes !== undefined && bytes > 0) return bytes
  throw usageFailure(`--${name} must be a number of bytes such as 500k, 20M or 2G; not ${value}`)
}

function parseMaxFiles(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value)
  throw usageFailure(`--max-files must be a number from 1 on; not ${value}`)
}

function parseWord<Word extends string>(
  name: string,
  words: readonly Word[],
  value: string | undefined,
): Word | undefined {
  if (value === undefined) return undefined
  const found = words.find((allowed) => allowed === value)
  if (found !== undefined) return found
  throw usageFailure(`--${name} must be one of ${words.join(', ')}; not ${value}`)
}

/** @throws Failure */
export function requireTitle(title: string | undefined): string {
  if (title === undefined || title.trim() === '')
    throw usageFailure('name what you ask for: svc request new "Photos of the party"')
  if (/\p{Cc}/u.test(title)) throw usageFailure('the title must be one line, without control characters')
  if (Array.from(title).length > limits.titleLength)
    throw usageFailure(`the title may have ${String(limits.titleLength)} characters`)
  return title
}
