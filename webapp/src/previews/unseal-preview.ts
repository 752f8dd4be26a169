import { decryptStream } from '@svc/encryption'
import { decryptionKeys } from '../encryption/decryption-keys.ts'
import { sharedEngine } from '../encryption/shared-engine.ts'
import { collected } from './collected.ts'

/** The work factor in the header of a file that is encrypted with a passphrase (https://age-encryption.org/v1). */
const workFactor = /^age-encryption\.org\/v1\n-> scrypt \S+ (\d+)\n/

/** That of generated passphrases. More would let a sender use the memory and the processor of each visitor without a click. */
const maxWorkFactor = 12

/**
 * Decrypts a preview.
 * @throws EncryptionError; RangeError where it takes too much work
 */
export async function unsealPreview(stored: Blob, key: string, signal: AbortSignal): Promise<Blob> {
  const [, work = '0'] = workFactor.exec(await stored.slice(0, 128).text()) ?? []
  if (Number(work) > maxWorkFactor) throw new RangeError('the preview takes too much work')
  const content = decryptStream(stored.stream(), {
    keys: decryptionKeys(key),
    engine: sharedEngine(),
    signal,
  })
  return collected(content)
}
