import { armored, createFileHeader, decryptStream, encryptStream, passphraseLock } from '@svc/encryption'
import { sharedEngine } from '../../encryption/shared-engine.ts'

/** @param chunks each is copied before the next is read */
async function whole(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const all: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of chunks) all.push(chunk.slice())
  return new Blob(all)
}

/**
 * Encrypts the private key of a request for the owner's other devices.
 * @returns an armored file, which `age -d` opens with the passphrase, too
 */
export async function wrapIdentity(identity: string, passphrase: string): Promise<string> {
  const engine = sharedEngine()
  const header = await createFileHeader(passphraseLock(passphrase), engine)
  const file = await whole(encryptStream(new Blob([`${identity}\n`]).stream(), { header, engine }))
  return armored(new Uint8Array(await file.arrayBuffer()))
}

/**
 * The text of a private key that `wrapIdentity` has encrypted.
 * @throws EncryptionError `wrong_passphrase`; other codes for a damaged file
 */
export async function unwrapIdentity(wrapped: string, passphrase: string): Promise<string> {
  const keys = { passphrases: [passphrase] }
  return (await whole(decryptStream(new Blob([wrapped]).stream(), { keys, engine: sharedEngine() }))).text()
}
