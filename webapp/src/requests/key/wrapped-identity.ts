import {
  armored,
  createFileHeader,
  decryptStream,
  encryptStream,
  type Keys,
  type Lock,
} from '@svc/encryption'
import { sharedEngine } from '../../encryption/shared-engine.ts'

/** @param chunks each is copied before the next is read */
async function whole(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const all: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of chunks) all.push(chunk.slice())
  return new Blob(all)
}

/**
 * Encrypts the private key of a request for the owner's other devices.
 * @returns an armored file, which `age -d` opens, too, if the lock is a passphrase
 */
export async function wrapIdentity(identity: string, lock: Lock): Promise<string> {
  const engine = sharedEngine()
  const header = await createFileHeader(lock, engine)
  const file = await whole(encryptStream(new Blob([`${identity}\n`]).stream(), { header, engine }))
  return armored(new Uint8Array(await file.arrayBuffer()))
}

/**
 * The text of a private key that `wrapIdentity` has encrypted.
 * @throws EncryptionError `wrong_passphrase`, `no_matching_identity`; other codes for a damaged file
 */
export async function unwrapIdentity(wrapped: string, keys: Keys): Promise<string> {
  return (await whole(decryptStream(new Blob([wrapped]).stream(), { keys, engine: sharedEngine() }))).text()
}

export { passphraseLock } from '@svc/encryption'
