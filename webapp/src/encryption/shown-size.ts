import { ageScheme, type File, type Upload } from '@svc/contract'
import { passphraseHeaderBytes, plainSize } from '@svc/encryption'

/** The size of the content, computed from the size on the server. */
function plainBytes(encryptedBytes: number): number {
  try {
    return plainSize(encryptedBytes, passphraseHeaderBytes)
  } catch {
    // Incomplete, or of another format.
    return encryptedBytes
  }
}

/**
 * The size of a file as on its sender's device, in bytes: of a file that is encrypted with a passphrase, the size of its content.
 * A file that a program has encrypted for recipients has a longer header, so it appears up to some hundred bytes larger. Limits
 * and quota count `fileSize`. The page of an upload request computes the exact size from the header.
 */
export const shownSize = (
  { e2ee, request }: Pick<Upload, 'e2ee' | 'request'>,
  { fileSize }: Pick<File, 'fileSize'>,
): number => (e2ee === ageScheme && request === undefined ? plainBytes(fileSize) : fileSize)
