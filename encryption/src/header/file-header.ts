import { Encrypter } from 'age-encryption'
import { readFrom } from '../base/byte-source.ts'
import { concat } from '../base/bytes.ts'
import type { Engine } from '../engine/engine.ts'
import { EncryptionError } from '../base/error.ts'
import { requireWebCrypto } from '../base/require-web-crypto.ts'
import { systemRandom, type RandomSource } from '../base/random-source.ts'
import type { Recipient } from './key-types.ts'
import { looksGenerated } from './passphrase.ts'
import { defaultWorkFactor, generatedWorkFactor, scryptRecipient } from './scrypt-stanza.ts'
import { encryptedSize } from '../base/sizes.ts'

/** For whom a file is encrypted: those who know a passphrase, or recipients (`age1…`, or an object such as the result of `sshRecipient`). */
export type EncryptionKey =
  | { readonly passphrase: string; readonly workFactor?: number }
  | { readonly recipients: readonly (string | Recipient)[] }

/** The encryption key of a passphrase, with as much work as one needs that is generated or typed. */
export const passphraseKey = (passphrase: string): EncryptionKey => ({
  passphrase,
  workFactor: looksGenerated(passphrase) ? generatedWorkFactor : defaultWorkFactor,
})

/** The header of one encrypted file with the key of the file, made before its content. Make one for each file. */
export interface FileHeader {
  readonly bytes: Uint8Array
  readonly fileKey: Uint8Array
  /**
   * Bytes of the encrypted file, exactly.
   * @param plainBytes bytes of the content
   */
  readonly encryptedSize: (plainBytes: number) => number
}

/** Prefixes of post-quantum recipients. They cannot be mixed with others, which would weaken the file. */
const isPostQuantum = (recipient: string) => /^age1(?:tag)?pq1/i.test(recipient)

function requireSameStrength(recipients: readonly (string | Recipient)[]): void {
  const postQuantum = recipients.filter(
    (recipient) => typeof recipient === 'string' && isPostQuantum(recipient),
  )
  if (postQuantum.length > 0 && postQuantum.length < recipients.length) {
    throw new EncryptionError('mixed_recipients', 'post-quantum recipients cannot be mixed with others')
  }
}

function addRecipients(encrypter: Encrypter, recipients: readonly (string | Recipient)[]): void {
  if (recipients.length === 0)
    throw new EncryptionError('bad_recipient', 'a file needs at least one recipient')
  requireSameStrength(recipients)
  requireWebCrypto()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch (error) {
      const name = typeof recipient === 'string' ? recipient : 'an object'
      throw new EncryptionError('bad_recipient', `${name} is not a recipient`, error)
    }
  }
}

/** A recipient that records the file key, which the library does not expose. */
function fileKeyRecorder(): { readonly recipient: Recipient; readonly recorded: () => Uint8Array } {
  let fileKey = new Uint8Array()
  return {
    recipient: {
      wrapFileKey: (key) => {
        fileKey = Uint8Array.from(key)
        return []
      },
    },
    recorded: () => fileKey,
  }
}

/** A stream, not an empty array: for an array, the library loads the fetch API of Node, which takes longer than a small file. */
const emptyContent = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.close()
    },
  })

/** Bytes that the library appends to a header for an empty content: a nonce and the tag of an empty chunk. */
const emptyPayloadBytes = encryptedSize(0, 0)

async function headerOf(file: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = readFrom(file)
  const pieces: Uint8Array[] = []
  for (let piece = await reader.pull(); piece !== undefined; piece = await reader.pull()) pieces.push(piece)
  return concat(pieces).slice(0, -emptyPayloadBytes)
}

/**
 * Makes the header of a file.
 * @param random source of the salt of a passphrase
 * @throws EncryptionError `bad_recipient`, `mixed_recipients`, `insecure_context`
 */
export async function createFileHeader(
  encryptionKey: EncryptionKey,
  engine: Engine,
  random: RandomSource = systemRandom,
): Promise<FileHeader> {
  const encrypter = new Encrypter()
  const { recipient, recorded } = fileKeyRecorder()
  if ('passphrase' in encryptionKey) {
    const { passphrase, workFactor = defaultWorkFactor } = encryptionKey
    encrypter.addRecipient(scryptRecipient(engine, { passphrase, workFactor, random }))
  } else {
    addRecipients(encrypter, encryptionKey.recipients)
  }
  encrypter.addRecipient(recipient)
  const bytes = await headerOf(await encrypter.encrypt(emptyContent()))
  return {
    bytes,
    fileKey: recorded(),
    encryptedSize: (plainBytes) => encryptedSize(plainBytes, bytes.length),
  }
}
