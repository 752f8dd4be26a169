import { encryptedSize as sizeWithHeader, passphraseHeaderBytes } from '@svc/encryption'

/**
 * Bytes of a file once it is encrypted with a passphrase.
 * @param plainBytes bytes of the file
 */
export const encryptedSize = (plainBytes: number): number => sizeWithHeader(plainBytes, passphraseHeaderBytes)
