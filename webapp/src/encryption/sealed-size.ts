import { encryptedSize, passphraseHeaderBytes } from '@svc/encryption'

/** Bytes of a file once it is encrypted with a passphrase. @param plainBytes bytes of the file */
export const sealedSize = (plainBytes: number): number => encryptedSize(plainBytes, passphraseHeaderBytes)
