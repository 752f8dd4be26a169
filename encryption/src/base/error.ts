/**
 * What can go wrong, by stable names; messages may change.
 *
 * - `not_encrypted`: the bytes do not begin like an age file
 * - `bad_header`: the header is damaged, was changed, or is of an unknown kind
 * - `bad_armor`: the text around an armored file is damaged
 * - `passphrase_needed`, `identity_needed`: the file opens with the one, and only the other was given
 * - `wrong_passphrase`, `no_matching_identity`: it was given, and does not open this file
 * - `work_factor_too_high`: the passphrase would take more time and memory than anybody means well with
 * - `damaged_chunk`: bytes of the content were changed
 * - `truncated`: the end is missing
 * - `trailing_data`: something follows the end
 * - `size_mismatch`: a store or a file gave other bytes than were asked for, or than before
 * - `bad_recipient`, `bad_identity`: a key that cannot be read
 * - `mixed_recipients`: recipients that would undo each other's promise
 * - `insecure_context`: a browser gives public-key cryptography to pages over HTTPS alone
 */
export type EncryptionErrorCode =
  | 'not_encrypted'
  | 'bad_header'
  | 'bad_armor'
  | 'passphrase_needed'
  | 'identity_needed'
  | 'wrong_passphrase'
  | 'no_matching_identity'
  | 'work_factor_too_high'
  | 'damaged_chunk'
  | 'truncated'
  | 'trailing_data'
  | 'size_mismatch'
  | 'bad_recipient'
  | 'bad_identity'
  | 'mixed_recipients'
  | 'insecure_context'

/** Something that cannot be encrypted or decrypted. */
export class EncryptionError extends Error {
  override readonly name = 'EncryptionError'
  readonly code: EncryptionErrorCode

  constructor(code: EncryptionErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
