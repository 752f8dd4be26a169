import {
  borrow,
  createFileHeader,
  decryptStream,
  encryptFile,
  type ByteRange,
  type EncryptionKey,
  type Engine,
  type Keys,
} from '@svc/encryption'
import { blobOf, type SeekableSource } from '../source/source.ts'

/**
 * Encrypts a blob while it is read, as a source for `addFile` that can resume: a part that is read again has the same bytes. It
 * is never whole in memory.
 * @returns its `size` is that of the encrypted file, in bytes. Reading throws EncryptionError `size_mismatch` when the content
 * has changed; the errors of the blob
 * @throws EncryptionError `bad_recipient`, `mixed_recipients`, `insecure_context`
 */
export async function encryptBlob(
  content: Blob,
  encryptionKey: EncryptionKey,
  engine: Engine,
): Promise<SeekableSource> {
  const header = await createFileHeader(encryptionKey, engine)
  const { size, read } = encryptFile({ size: content.size, header, engine })
  const plain = ({ start, end }: ByteRange) => content.slice(start, end).stream()
  return { size, between: (start, end) => read({ start, end }, plain) }
}

/**
 * Decrypts a whole blob, armored or not. Browsers keep large blobs on disk.
 * @throws EncryptionError, with the codes of `decryptStream`; the errors of the blob
 */
export async function decryptBlob(file: Blob, keys: Keys, engine: Engine): Promise<Blob> {
  // A blob copies its bytes, so their memory is free for the next ones.
  return blobOf({ chunks: borrow(decryptStream(file.stream(), { keys, engine }), engine) })
}
