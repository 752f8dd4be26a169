import { EncryptionError } from './error.ts'

/**
 * Browsers offer public-key cryptography only to pages over HTTPS or from the same machine. Passphrases do not need it.
 * @throws EncryptionError `insecure_context`
 */
export function requireWebCrypto(): void {
  // The types declare it as always present.
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (subtle === undefined) {
    throw new EncryptionError(
      'insecure_context',
      'recipients and identities need a page that came over HTTPS',
    )
  }
}
