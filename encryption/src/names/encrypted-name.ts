import { base64url } from '../base/base64url.ts'
import { utf8 } from '../base/bytes.ts'
import { collected, oneChunk } from '../base/chunks.ts'
import { EncryptionError } from '../base/error.ts'
import type { Engine } from '../engine/engine.ts'
import { createFileHeader, type EncryptionKey } from '../header/file-header.ts'
import type { Keys } from '../header/open-header.ts'
import { decryptStream } from '../stream/decrypt-stream.ts'
import { encryptStream } from '../stream/encrypt-stream.ts'

/** The end of a name that is encrypted, which is also that of files of age. */
const ending = '.age'

/** Characters of a file name (docs/protocol.md#limits). */
const maxCharacters = 1024

/**
 * Encrypts the name of a file: the name in UTF-8 as a file of age, in base64url, with `.age` at its end. It is a valid name.
 * @throws EncryptionError `bad_recipient`; `name_too_long` for a name that is too long for its recipients
 */
export async function encryptName(
  name: string,
  encryptionKey: EncryptionKey,
  engine: Engine,
): Promise<string> {
  const header = await createFileHeader(encryptionKey, engine)
  const encrypted =
    base64url(await collected(encryptStream(oneChunk(utf8(name)), { header, engine }))) + ending
  if (encrypted.length > maxCharacters)
    throw new EncryptionError('name_too_long', 'the name of the file is too long to be encrypted')
  return encrypted
}

/** Whether a name has the form of one that `encryptName` has made. */
export const isEncryptedName = (name: string): boolean => /^[\w-]{200,1020}\.age$/.test(name)

/**
 * Decrypts the name of a file.
 * @throws EncryptionError
 */
export async function decryptName(encrypted: string, keys: Keys, engine: Engine): Promise<string> {
  const encoded = encrypted.slice(0, -ending.length).replaceAll('-', '+').replaceAll('_', '/')
  let bytes: Uint8Array
  try {
    bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
  } catch (cause) {
    throw new EncryptionError('not_encrypted', 'this is not an encrypted name', cause)
  }
  return new TextDecoder().decode(await collected(decryptStream(oneChunk(bytes), { keys, engine })))
}
