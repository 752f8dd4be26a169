import { Encrypter, type Recipient } from 'age-encryption'
import { readFrom } from '../base/byte-source.ts'
import { concat } from '../base/bytes.ts'
import type { Engine } from '../engine/engine.ts'
import { EncryptionError } from '../base/error.ts'
import { requireWebCrypto } from '../base/require-web-crypto.ts'
import { defaultWorkFactor, scryptRecipient, systemRandom, type Random } from './scrypt-stanza.ts'
import { encryptedSize } from '../base/sizes.ts'

/** What a file is encrypted for: a passphrase, or recipients (`age1…`, or an object such as `sshRecipient` makes). */
export type Lock =
  | { readonly passphrase: string; readonly workFactor?: number }
  | { readonly recipients: readonly (string | Recipient)[] }

/** The head of one encrypted file, made before its content. Make one for each file. */
export interface Envelope {
  readonly header: Uint8Array
  readonly fileKey: Uint8Array
  /** Bytes of the encrypted file, exactly. @param plainBytes bytes of the content */
  readonly encryptedSize: (plainBytes: number) => number
}

/** Recipients that withstand quantum computers; one that does not would open the file to them after all. */
const isPostQuantum = (recipient: string) => /^age1(?:tag)?pq1/i.test(recipient)

function requireAlike(recipients: readonly (string | Recipient)[]): void {
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
  requireAlike(recipients)
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

/** A recipient that only listens: the key of the file is not to be had otherwise. */
function listener(): { readonly recipient: Recipient; readonly heard: () => Uint8Array } {
  let fileKey = new Uint8Array()
  return {
    recipient: {
      wrapFileKey: (key) => {
        fileKey = Uint8Array.from(key)
        return []
      },
    },
    heard: () => fileKey,
  }
}

/** Not an array of no bytes: for that, the library loads all that fetches, which costs more than a small file. */
const emptyContent = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.close()
    },
  })

/** Bytes that an encrypter adds to a header when there is no content: a nonce and the tag of an empty chunk. */
const emptyPayloadBytes = encryptedSize(0, 0)

async function headerOf(file: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = readFrom(file)
  const pieces: Uint8Array[] = []
  for (let piece = await reader.pull(); piece !== undefined; piece = await reader.pull()) pieces.push(piece)
  return concat(pieces).slice(0, -emptyPayloadBytes)
}

/**
 * Makes the head of a file.
 * @param random where the salt of a passphrase comes from
 * @throws EncryptionError `bad_recipient`, `mixed_recipients`, `insecure_context`
 */
export async function createEnvelope(
  lock: Lock,
  engine: Engine,
  random: Random = systemRandom,
): Promise<Envelope> {
  const encrypter = new Encrypter()
  const { recipient, heard } = listener()
  if ('passphrase' in lock) {
    const { passphrase, workFactor = defaultWorkFactor } = lock
    encrypter.addRecipient(scryptRecipient(engine, { passphrase, workFactor, random }))
  } else {
    addRecipients(encrypter, lock.recipients)
  }
  encrypter.addRecipient(recipient)
  const header = await headerOf(await encrypter.encrypt(emptyContent()))
  return {
    header,
    fileKey: heard(),
    encryptedSize: (plainBytes) => encryptedSize(plainBytes, header.length),
  }
}
