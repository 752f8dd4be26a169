import type { EncryptionError, EncryptionErrorCode } from '@svc/encryption'

// By name instead of class, because loading the encryption takes time and most commands do not need it.
const hasCode = (error: unknown, codes: readonly EncryptionErrorCode[]): error is EncryptionError =>
  isEncryptionError(error) && codes.includes(error.code)

export const isEncryptionError = (error: unknown): error is EncryptionError =>
  error instanceof Error && error.name === 'EncryptionError'

/** Whether another passphrase may open the file. */
export const isPassphraseError = (error: unknown): error is EncryptionError =>
  hasCode(error, ['passphrase_needed', 'wrong_passphrase'])

/** Whether the keys are wrong and the file may be intact. */
export const isKeyError = (error: unknown): boolean =>
  isPassphraseError(error) ||
  hasCode(error, ['identity_needed', 'no_matching_identity', 'work_factor_too_high', 'bad_identity'])

/** Whether a given key is invalid. */
export const isInvalidKey = (error: unknown): boolean =>
  hasCode(error, ['bad_recipient', 'mixed_recipients', 'bad_identity'])

/** Whether a file is encrypted for other keys than those that were tried. */
export const isForOtherKey = (error: unknown): boolean => hasCode(error, ['no_matching_identity'])
