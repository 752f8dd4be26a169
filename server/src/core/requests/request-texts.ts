/** The texts of upload requests, which the API and imports check. */
import { ageScheme, limits, normalizeExtension, type PasskeyIdentity } from '@svc/contract'
import { invalidRequest } from '../../domain/errors.ts'
import { requireLine, requireStorable } from '../../domain/text/storable-text.ts'
import { isAgeRecipient } from './age-recipient.ts'

/** The armor of a file of age (RFC 7468). */
const armored =
  /^-----BEGIN AGE ENCRYPTED FILE-----\s([A-Za-z0-9+/=\s]+)\s-----END AGE ENCRYPTED FILE-----\s*$/
/** The header of a file with a passphrase alone, of at most 2^20 rounds: the clients of the owner open no more. */
const passphraseHeader =
  /^age-encryption\.org\/v1\n-> scrypt [A-Za-z0-9+/]{22} (?:1?\d|20)\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/

/** The header of a file with a passkey alone. */
const passkeyHeader =
  /^age-encryption\.org\/v1\n-> age-encryption\.org\/fido2prf [A-Za-z0-9+/]{22}\n[A-Za-z0-9+/]{43}\n--- [A-Za-z0-9+/]{43}\n/

function isEncrypted(text: string, header: RegExp): boolean {
  const [, base64 = ''] = armored.exec(text) ?? []
  const file = Buffer.from(base64, 'base64').toString('latin1')
  return header.test(file) && !/AGE-SECRET-KEY/i.test(file)
}

/**
 * A private key that only a passphrase opens. The server cannot open it, but it refuses what is not encrypted.
 * @returns null for none
 * @throws ServiceError `invalid_request`
 */
export function wrappedIdentityIn(text: string): string | null {
  if (text === '') return null
  if (!isEncrypted(text, passphraseHeader))
    throw invalidRequest('wrappedIdentity must be an armored age file that is encrypted with a passphrase')
  return text
}

/**
 * A private key that only passkeys open, as `wrappedIdentityIn`.
 * @returns the column; null for none
 * @throws ServiceError `invalid_request`
 */
export function passkeyIdentitiesIn(identities: readonly PasskeyIdentity[]): string | null {
  if (identities.length === 0) return null
  if (new Set(identities.map(({ credential }) => credential)).size < identities.length)
    throw invalidRequest('passkeyIdentities has a passkey twice')
  if (!identities.every(({ wrappedIdentity }) => isEncrypted(wrappedIdentity, passkeyHeader)))
    throw invalidRequest('passkeyIdentities must have armored age files that are encrypted for a passkey')
  return JSON.stringify(
    identities.map(({ credential, wrappedIdentity }) => ({ credential, wrappedIdentity })),
  )
}

/** @throws ServiceError `invalid_request` */
export function requireTitle(title: string): void {
  requireLine('title', title)
  if (title.trim() === '') throw invalidRequest('title must not be empty')
}

/** @throws ServiceError `invalid_request` */
export function requireMessageText(message: string): void {
  requireStorable('message', message)
  if (Buffer.byteLength(message) > limits.requestMessageBytes)
    throw invalidRequest(`the message is too long (limit is ${String(limits.requestMessageBytes)} bytes)`)
}

const invalidRecipient = () => invalidRequest(`recipient must be a recipient of ${ageScheme}, such as age1…`)

/** @throws ServiceError `invalid_request` */
export function requireRecipient(recipient: string): void {
  if (!isAgeRecipient(recipient)) throw invalidRecipient()
}

/**
 * Checks the letters of a recipient alone: earlier versions accepted recipients without a key, which imports keep.
 * @throws ServiceError `invalid_request`
 */
export function requireStoredRecipient(recipient: string): void {
  if (!/^age1[0-9a-z]+$/.test(recipient)) throw invalidRecipient()
}

/** Letters and digits of any script, with the marks of extensions such as `tar.gz` and `c++`. */
const extensionForm = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}+_.-]*$/u

/** @throws ServiceError `invalid_request` */
export function parseExtension(text: string): string {
  const extension = normalizeExtension(text)
  if (!extensionForm.test(extension))
    throw invalidRequest('an extension has letters and digits, such as pdf or tar.gz')
  return extension
}
