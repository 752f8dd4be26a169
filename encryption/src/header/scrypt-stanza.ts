import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { Stanza, type Identity, type Recipient } from 'age-encryption'
import { fromBase64, concat, toBase64, utf8 } from '../base/bytes.ts'
import type { Engine } from '../engine/engine.ts'
import { EncryptionError } from '../base/error.ts'
import type { RandomSource } from '../base/random-source.ts'
import { wrappedKeyBytes, zeroNonce } from './wrapped-key.ts'

export const scryptType = 'scrypt'
const label = 'age-encryption.org/v1/scrypt'
const saltBytes = 16

/** Work factor of a typed passphrase: about a second, as with the `age` command. */
export const defaultWorkFactor = 18
/**
 * Work factor of a generated passphrase: one of 2^140 cannot be guessed, and a thousand files open without a thousand
 * seconds of waiting.
 */
export const generatedWorkFactor = 12
/** Highest accepted work factor: 1 GiB of memory, and a few seconds. */
export const maxWorkFactor = 20

interface PassphraseOptions {
  readonly passphrase: string
  readonly workFactor: number
  readonly random: RandomSource
}

interface WrappingKey {
  readonly passphrase: string
  readonly salt: Uint8Array
  readonly logN: number
}

/** Derives the key that wraps a file key, and clears it after its use. */
async function withWrappingKey<T>(
  engine: Engine,
  { passphrase, salt, logN }: WrappingKey,
  use: (key: Uint8Array) => T,
): Promise<T> {
  const key = await engine.scrypt({ passphrase, salt: concat([utf8(label), salt]), logN })
  try {
    return use(key)
  } finally {
    key.fill(0)
  }
}

/** A recipient for a passphrase. It replaces that of the library, which runs scrypt on the thread of the page. */
export const scryptRecipient = (
  engine: Engine,
  { passphrase, workFactor, random }: PassphraseOptions,
): Recipient => ({
  wrapFileKey: async (fileKey) => {
    const salt = new Uint8Array(saltBytes)
    random(salt)
    const body = await withWrappingKey(engine, { passphrase, salt, logN: workFactor }, (key) =>
      chacha20poly1305(key, zeroNonce()).encrypt(fileKey),
    )
    return [new Stanza([scryptType, toBase64(salt), String(workFactor)], body)]
  },
})

/** @throws EncryptionError `bad_header`, `work_factor_too_high` */
function parsed({ args, body }: Stanza): { salt: Uint8Array; logN: number } {
  const [, saltText = '', logText = '', ...others] = args
  const salt = fromBase64(saltText)
  const isWhole = salt?.length === saltBytes && others.length === 0 && body.length === wrappedKeyBytes
  if (!isWhole || !/^[1-9][0-9]*$/.test(logText)) {
    throw new EncryptionError('bad_header', 'the passphrase stanza of the header is damaged')
  }
  const logN = Number(logText)
  if (logN > maxWorkFactor) {
    throw new EncryptionError('work_factor_too_high', `the passphrase has a work factor of ${logText}`)
  }
  return { salt, logN }
}

/**
 * Opens a file with a passphrase. Null for a wrong passphrase.
 * @throws EncryptionError as `parsed` does
 */
export const scryptIdentity = (engine: Engine, passphrase: string): Identity => ({
  unwrapFileKey: async (stanzas) => {
    const stanza = stanzas.find(({ args }) => args[0] === scryptType)
    if (stanza === undefined) return null
    // A passphrase promises that no other recipient can read the file (age v1, "scrypt recipient stanza").
    if (stanzas.length > 1)
      throw new EncryptionError('bad_header', 'a passphrase must be the only way to open a file')
    const { salt, logN } = parsed(stanza)
    return withWrappingKey(engine, { passphrase, salt, logN }, (key) => {
      try {
        return chacha20poly1305(key, zeroNonce()).decrypt(stanza.body)
      } catch {
        return null
      }
    })
  },
})
