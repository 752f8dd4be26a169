import type { EncryptionError, EncryptionErrorCode } from '@svc/encryption'

// Not by its class: most commands run without the encryption, which takes a while to load.
const hasCode = (error: unknown, codes: readonly EncryptionErrorCode[]): error is EncryptionError =>
  isEncryptionError(error) && codes.includes(error.code)

export const isEncryptionError = (error: unknown): error is EncryptionError =>
  error instanceof Error && error.name === 'EncryptionError'

/** Another passphrase may help. */
export const isPassphraseError = (error: unknown): error is EncryptionError =>
  hasCode(error, ['passphrase_needed', 'wrong_passphrase'])

/** The file may be whole, and only the keys are not those for it. */
export const isKeyError = (error: unknown): boolean =>
  isPassphraseError(error) ||
  hasCode(error, ['identity_needed', 'no_matching_identity', 'work_factor_too_high', 'bad_identity'])

/** What was given as a key is none. */
export const isInvalidKey = (error: unknown): boolean =>
  hasCode(error, ['bad_recipient', 'mixed_recipients', 'bad_identity'])
