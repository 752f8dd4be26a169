import { createFileHeader, createPlainEngine, isEncryptedName, decryptName, plainSize } from '@svc/encryption'

const engine = createPlainEngine()

/** The decrypted name of a file; undefined for a name that the identity does not open. */
export async function decryptedName(encrypted: string, identity: string): Promise<string | undefined> {
  if (!isEncryptedName(encrypted)) return undefined
  try {
    return await decryptName(encrypted, { identities: [identity] }, engine)
  } catch {
    return undefined
  }
}

/* eslint no-restricted-syntax: "off" -- a cache of computed values, the same for all applications */
const headerBytes = new Map<string, number>()

/**
 * Sizes of the contents of files for a recipient, whose headers have the same size.
 * @returns bytes by those of the encrypted file; undefined for a size that no encrypted file has
 */
export async function sizeOf(recipient: string): Promise<(encryptedBytes: number) => number | undefined> {
  const known = headerBytes.get(recipient)
  const header = known ?? (await createFileHeader({ recipients: [recipient] }, engine)).bytes.length
  headerBytes.set(recipient, header)
  return (encryptedBytes) => {
    try {
      return plainSize(encryptedBytes, header)
    } catch {
      return undefined
    }
  }
}
