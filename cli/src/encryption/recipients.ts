import { isAbsolute, resolve } from 'node:path'
import { createFileHeader, createPlainEngine, type EncryptionKey } from '@svc/encryption'
import { pluginOfRecipient, pluginRecipient } from '@svc/encryption/plugin'
import { isSshPublicKey, sshRecipient } from '@svc/encryption/ssh'
import { printable } from '@svc/terminal'
import { readKeyBook } from '../config/key-book.ts'
import { findTarget } from '../config/target.ts'
import { usageFailure } from '../errors/failure.ts'
import { errorMessage } from '../errors/error-message.ts'
import { readFileOrPipe } from '../files/named-pipe.ts'
import { counted } from '../output/counted.ts'
import type { Program } from '../program/program.ts'
import { fetchKeys } from './fetched-keys.ts'
import { keyLines } from './key-lines.ts'
import { pluginDialog } from './plugin-dialog.ts'

type Recipient = Extract<EncryptionKey, { readonly recipients: unknown }>['recipients'][number]

/** A recipient who can open a file. */
export interface NamedRecipient {
  readonly recipient: Recipient
  /** The kind of key: age or SSH. */
  readonly kind: 'age' | 'ssh-ed25519' | 'ssh-rsa'
}

export interface RecipientOptions {
  /** The profile, which may name another GitHub. */
  readonly profile?: string | undefined
  readonly quiet?: boolean | undefined
}

const isKey = (text: string) => /^age1/i.test(text) || isSshPublicKey(text)
/** Whether files can be encrypted for a key. */
const isSupported = (key: string) => !isSshPublicKey(key) || /^ssh-(?:ed25519|rsa)\s/.test(key)

/** @throws EncryptionError `bad_recipient` */
function namedRecipient(program: Program, text: string): NamedRecipient {
  if (isSshPublicKey(text))
    return { recipient: sshRecipient(text), kind: text.startsWith('ssh-rsa') ? 'ssh-rsa' : 'ssh-ed25519' }
  const isOfPlugin = pluginOfRecipient(text) !== undefined
  return { recipient: isOfPlugin ? pluginRecipient(text, pluginDialog(program)) : text, kind: 'age' }
}

/**
 * The recipients of `--recipient` and `--recipients-file`.
 * @throws Failure, ApiError, EncryptionError `bad_recipient`
 */
export async function readRecipients(
  program: Program,
  inputs: readonly string[],
  options: RecipientOptions = {},
): Promise<readonly NamedRecipient[]> {
  const keys = await publicKeys(program, inputs, options)
  return keys.map((key) => namedRecipient(program, key))
}

/**
 * Checks that files can be encrypted for each of the keys. Plugins are not run.
 * @throws EncryptionError `bad_recipient`
 */
export async function requireUsable(program: Program, keys: readonly string[]): Promise<void> {
  const engine = createPlainEngine()
  for (const { recipient } of keys.map((key) => namedRecipient(program, key)))
    if (typeof recipient === 'string') await createFileHeader({ recipients: [recipient] }, engine)
}

/**
 * Public keys: a key as it is (`age1…`, `ssh-ed25519 …`, `ssh-rsa …`); those of a user of GitHub (`github:USER`), of an address
 * (`https://…`), of a name in the address book, or of a file with one per line, where `#` begins a comment, as `age -R` reads it.
 * @throws Failure, ApiError
 */
export async function publicKeys(
  program: Program,
  inputs: readonly string[],
  options: RecipientOptions = {},
): Promise<readonly string[]> {
  const found: string[] = []
  for (const word of inputs) found.push(...(await keysOf(program, word.trim(), options)))
  return found
}

async function keysOf(program: Program, word: string, options: RecipientOptions): Promise<readonly string[]> {
  if (isKey(word)) return [word]
  const [, user] = /^github:([\w-]+)$/i.exec(word) ?? []
  if (user !== undefined) {
    const { profile } = await findTarget(program, { profile: options.profile })
    return keysAt(program, word, `${profile.github ?? 'https://github.com'}/${user}.keys`, options)
  }
  if (/^https?:\/\//i.test(word)) return keysAt(program, word, word, options)
  return (await readKeyBook(program)).get(word) ?? keysOfFile(program, word)
}

async function keysAt(
  program: Program,
  word: string,
  address: string,
  { quiet }: RecipientOptions,
): Promise<readonly string[]> {
  const url = URL.parse(address)
  if (url === null) throw usageFailure(`${word} is not an address`)
  const lines = keyLines(await fetchKeys(program, url))
  if (!lines.every(isKey)) throw usageFailure(`${url.href}: a line is not a public key`)
  const keys = lines.filter(isSupported)
  if (keys.length === 0) throw usageFailure(`${word} has no key that files can be encrypted for`)
  const others = lines.length - keys.length
  const leftOut = others === 0 ? '' : `; left out: ${String(others)} of other kinds`
  if (quiet !== true)
    program.printToStderr(`${printable(word)}: ${counted(keys.length, 'public key')}${leftOut}`)
  return keys
}

async function keysOfFile({ directory, interrupted }: Program, path: string): Promise<readonly string[]> {
  let text: string
  try {
    text = (await readFileOrPipe(resolve(directory, path), interrupted)).toString()
  } catch (error) {
    // A path of --recipients-file is absolute.
    if (isAbsolute(path))
      throw usageFailure(`the keys in ${path} cannot be read: ${errorMessage(error)}`, error)
    throw usageFailure(
      `${path} is neither a key, nor github:USER, an address, a name of svc keys, or a file of keys: ${errorMessage(error)}`,
      error,
    )
  }
  const lines = keyLines(text)
  const [wrong] = lines.filter((line) => !isKey(line))
  // The line is not shown: the file may hold the secret key.
  if (lines.length === 0 || wrong !== undefined) throw usageFailure(`${path}: a line is not a public key`)
  return lines
}
