import type { EncryptionError, EncryptionErrorCode } from '@svc/encryption'

// Not by its class: most commands run without the encryption, which takes a while to load.
const isFor = (error: unknown, codes: readonly EncryptionErrorCode[]): error is EncryptionError =>
  isEncryptionError(error) && codes.includes(error.code)

export const isEncryptionError = (error: unknown): error is EncryptionError =>
  error instanceof Error && error.name === 'EncryptionError'

/** Another passphrase may help. */
export const isPassphraseTrouble = (error: unknown): error is EncryptionError =>
  isFor(error, ['passphrase_needed', 'wrong_passphrase'])

/** The file may be whole, and only the keys are not those for it. */
export const isKeyTrouble = (error: unknown): boolean =>
  isPassphraseTrouble(error) ||
  isFor(error, ['identity_needed', 'no_matching_identity', 'work_factor_too_high', 'bad_identity'])

/** What was given as a key is none. */
export const isNoKey = (error: unknown): boolean =>
  isFor(error, ['bad_recipient', 'mixed_recipients', 'bad_identity'])
