import { EncryptionError } from './error.ts'

/**
 * Public-key cryptography comes from the environment, and browsers give it to pages over HTTPS (or of the same machine)
 * alone. Passphrases need none of it.
 * @throws EncryptionError `insecure_context`
 */
export function requireWebCrypto(): void {
  // The types know of no page without it.
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (subtle === undefined) {
    throw new EncryptionError(
      'insecure_context',
      'recipients and identities need a page that came over HTTPS',
    )
  }
}
