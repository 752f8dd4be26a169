import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { EncryptionError, type Keys } from '@svc/encryption'
import { isPrivateKey, sshIdentity } from '@svc/encryption/ssh'
import { Failure, usageFailure } from '../errors/failure.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import { keyLines } from './key-lines.ts'

type Identities = NonNullable<Keys['identities']>

/**
 * The keys of the files of `--identity`: `AGE-SECRET-KEY-…`, one a line, as `age-keygen` writes them, or a private key of
 * SSH.
 * @throws Failure
 */
export async function readIdentities(program: Program, paths: readonly string[]): Promise<Identities> {
  const all = await Promise.all(paths.map((path) => identitiesOf(program, path)))
  return all.flat()
}

async function identitiesOf({ directory }: Program, path: string): Promise<Identities> {
  try {
    const text = await readFile(resolve(directory, path), 'utf8')
    return isPrivateKey(text) ? [sshIdentity(text)] : lines(path, text)
  } catch (error) {
    if (error instanceof EncryptionError) throw usageFailure(`${path}: ${error.message}`, error)
    if (error instanceof Failure) throw error
    throw usageFailure(`--identity ${path}: ${errorMessage(error)}`, error)
  }
}

function lines(path: string, text: string): readonly string[] {
  const keys = keyLines(text)
  if (keys.length === 0 || !keys.every((key) => /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/i.test(key)))
    throw usageFailure(
      `${path} is not a key file: each line must be AGE-SECRET-KEY-…, or the file a private SSH key`,
    )
  return keys
}
