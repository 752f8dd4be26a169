import {
  armored,
  createFileHeader,
  decryptStream,
  encryptStream,
  type Keys,
  type EncryptionKey,
} from '@svc/encryption'
import { blobOf } from '../../encryption/blob-of.ts'
import { sharedEngine } from '../../encryption/shared-engine.ts'

/**
 * Encrypts the private key of a request for the owner's other devices.
 * @returns an armored file, which `age -d` opens, too, if the key is a passphrase
 */
export async function wrapIdentity(identity: string, encryptionKey: EncryptionKey): Promise<string> {
  const engine = sharedEngine()
  const header = await createFileHeader(encryptionKey, engine)
  const file = await blobOf(encryptStream(new Blob([`${identity}\n`]).stream(), { header, engine }))
  return armored(new Uint8Array(await file.arrayBuffer()))
}

/**
 * The text of a private key that `wrapIdentity` has encrypted.
 * @throws EncryptionError `wrong_passphrase`, `no_matching_identity`; other codes for a damaged file
 */
export async function unwrapIdentity(wrapped: string, keys: Keys): Promise<string> {
  return (await blobOf(decryptStream(new Blob([wrapped]).stream(), { keys, engine: sharedEngine() }))).text()
}

// For WrapKey.vue, which loads this module only when it encrypts.
export { passphraseKey } from '@svc/encryption'
