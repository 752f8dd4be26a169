import { ageScheme, type File, type Upload } from '@svc/contract'
import { passphraseHeaderBytes, plainSize } from '@svc/encryption'

/** Bytes of the content of a file, by those on the server. */
function plainBytes(encryptedBytes: number): number {
  try {
    return plainSize(encryptedBytes, passphraseHeaderBytes)
  } catch {
    // Incomplete, or of another format.
    return encryptedBytes
  }
}

/**
 * Bytes of a file as people know it: of one that is encrypted with a passphrase, those of its content. A file that a program has
 * encrypted for recipients has a longer header, so that it appears up to some hundred bytes larger. Limits and quota count
 * `fileSize`, and so does the page of a request, which knows the header of what it has received.
 */
export const shownSize = (
  { e2ee, request }: Pick<Upload, 'e2ee' | 'request'>,
  { fileSize }: Pick<File, 'fileSize'>,
): number => (e2ee === ageScheme && request === undefined ? plainBytes(fileSize) : fileSize)
