/**
 * Why a passkey was not used.
 *
 * - `cancelled`: the user cancelled, the time was over, or no device has the passkey: browsers do not say which
 * - `no_prf`: the device or password manager cannot derive keys from the passkey
 * - `wrong_passkey`: it does not open the key
 * - `insecure`: browsers allow passkeys over HTTPS and for a domain name only
 * - `unsupported`: the browser has no passkeys, or derives no keys from them
 */
export type PasskeyErrorCode = 'cancelled' | 'no_prf' | 'wrong_passkey' | 'insecure' | 'unsupported'

/** A passkey that was not used. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
  readonly code: PasskeyErrorCode

  constructor(code: PasskeyErrorCode, cause?: unknown) {
    super(`passkey: ${code}`, { cause })
    this.code = code
  }
}
