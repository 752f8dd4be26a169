import { resolve } from 'node:path'
import { decryptStream, EncryptionError, oneChunk, type Engine, type Keys } from '@svc/encryption'
import { pluginIdentity, pluginOfIdentity } from '@svc/encryption/plugin'
import { isPrivateKey, sshIdentity } from '@svc/encryption/ssh'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure, usageFailure } from '../errors/failure.ts'
import { errorMessage } from '../errors/error-message.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import type { Program } from '../program/program.ts'
import { ageFormat } from '../files/age-format.ts'
import { readFileOrPipe } from '../files/named-pipe.ts'
import { keyLines } from './key-lines.ts'
import { pluginDialog } from './plugin-dialog.ts'

type Identities = NonNullable<Keys['identities']>

/**
 * The keys of the files of `--identity`: `AGE-SECRET-KEY-…` and `AGE-PLUGIN-…`, one per line, as `age-keygen` and plugins write
 * them, such a file that `age -p` has encrypted, or a private key of SSH.
 * @throws Failure
 */
export async function readIdentities(
  program: Program,
  engine: Engine,
  paths: readonly string[],
): Promise<Identities> {
  const all: Identities[number][] = []
  // One after the other: each may ask for a passphrase.
  for (const path of paths) all.push(...(await identitiesOf(program, engine, path)))
  return all
}

async function identitiesOf(program: Program, engine: Engine, path: string): Promise<Identities> {
  const askPassphrase = () => passphraseOf(program, path)
  try {
    const bytes = await readFileOrPipe(resolve(program.directory, path), program.interrupted)
    const text =
      ageFormat(bytes.subarray(0, headBytes)) !== undefined
        ? await decryptIdentity(program, engine, bytes, askPassphrase)
        : bytes.toString()
    return isPrivateKey(text) ? [sshIdentity(text, { askPassphrase })] : lines(program, path, text)
  } catch (error) {
    if (error instanceof EncryptionError) throw identityFailure(path, error)
    if (error instanceof Failure) throw error
    throw usageFailure(`--identity ${path}: ${errorMessage(error)}`, error)
  }
}

const identityFailure = (path: string, error: EncryptionError) =>
  error.code === 'wrong_passphrase'
    ? new Failure(`${path}: wrong passphrase`, exitCodes.locked, error)
    : usageFailure(`${path}: ${error.message}`, error)

/** @throws Failure without a terminal */
async function passphraseOf(program: Program, path: string): Promise<string> {
  const set = program.environment['SVC_IDENTITY_PASSPHRASE'] ?? ''
  if (set !== '') return set
  if (canAsk(program)) return ask(program, `Passphrase of ${path}: `, 'hidden')
  throw new Failure(`${path} has a passphrase: use a terminal, or SVC_IDENTITY_PASSPHRASE`, exitCodes.locked)
}

/** Bytes that show whether a file is encrypted. */
const headBytes = 256

const attempts = 3

async function decryptIdentity(
  program: Program,
  engine: Engine,
  bytes: Uint8Array,
  askPassphrase: () => Promise<string>,
): Promise<string> {
  for (let count = 1; ; count += 1) {
    const keys = { passphrases: [await askPassphrase()] }
    try {
      const pieces: Buffer[] = []
      const source = oneChunk(bytes)
      for await (const piece of decryptStream(source, { keys, engine })) pieces.push(Buffer.from(piece))
      return Buffer.concat(pieces).toString()
    } catch (error) {
      const isWrongPassphrase = error instanceof EncryptionError && error.code === 'wrong_passphrase'
      if (!isWrongPassphrase || count === attempts) throw error
      program.printToStderr('wrong passphrase')
    }
  }
}

function lines(program: Program, path: string, text: string): Identities {
  const keys = keyLines(text)
  const identities = keys.flatMap((key): Identities => {
    if (/^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/i.test(key)) return [key]
    return pluginOfIdentity(key) === undefined ? [] : [pluginIdentity(key, pluginDialog(program))]
  })
  if (identities.length === 0 || identities.length < keys.length)
    throw usageFailure(
      `${path} is not a key file: each line must be AGE-SECRET-KEY-… or AGE-PLUGIN-…, or the file a private SSH key`,
    )
  return identities
}
