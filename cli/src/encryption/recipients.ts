import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Lock } from '@svc/encryption'
import { isSshPublicKey, sshRecipient } from '@svc/encryption/ssh'
import { usageFailure } from '../errors/failure.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import { keyLines } from './key-lines.ts'

type Recipient = Extract<Lock, { readonly recipients: unknown }>['recipients'][number]

/** A recipient who can open a file. */
export interface NamedRecipient {
  readonly recipient: Recipient
  /** The kind of key: age or SSH. */
  readonly kind: 'age' | 'ssh-ed25519' | 'ssh-rsa'
}

const isKey = (text: string) => /^age1/i.test(text) || isSshPublicKey(text)

/** @throws EncryptionError `bad_recipient` */
function namedRecipient(text: string): NamedRecipient {
  if (!isSshPublicKey(text)) return { recipient: text, kind: 'age' }
  return { recipient: sshRecipient(text), kind: text.startsWith('ssh-rsa') ? 'ssh-rsa' : 'ssh-ed25519' }
}

/**
 * The recipients of `--recipient`: a key (`age1…`, `ssh-ed25519 …`, `ssh-rsa …`), or a file with one a line, where `#`
 * begins a comment, as `age -R` reads it.
 * @throws Failure, EncryptionError `bad_recipient`
 */
export async function readRecipients(
  program: Program,
  written: readonly string[],
): Promise<readonly NamedRecipient[]> {
  const found: NamedRecipient[] = []
  for (const word of written) {
    const keys = isKey(word.trim()) ? [word.trim()] : await keysOfFile(program, word)
    found.push(...keys.map(namedRecipient))
  }
  return found
}

async function keysOfFile({ directory }: Program, path: string): Promise<readonly string[]> {
  let text: string
  try {
    text = await readFile(resolve(directory, path), 'utf8')
  } catch (error) {
    throw usageFailure(`--recipient ${path} is neither a key nor a key file: ${errorMessage(error)}`, error)
  }
  const lines = keyLines(text)
  const [wrong] = lines.filter((line) => !isKey(line))
  // The line is not shown: the file may hold the secret key.
  if (lines.length === 0 || wrong !== undefined) throw usageFailure(`${path}: a line is not a public key`)
  return lines
}
