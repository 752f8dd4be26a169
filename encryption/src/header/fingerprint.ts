import { base64url } from '../base/base64url.ts'
import { requireWebCrypto } from '../base/require-web-crypto.ts'

/**
 * The fingerprint of a recipient: its SHA-256 in base64url, 43 characters. A link that has it shows whether a server names
 * another recipient.
 * @throws EncryptionError `insecure_context`
 */
export async function fingerprintOf(recipient: string): Promise<string> {
  requireWebCrypto()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(recipient))
  return base64url(new Uint8Array(digest))
}
