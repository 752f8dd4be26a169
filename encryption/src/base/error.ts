/**
 * The reasons for a failure. Codes are stable, messages may change.
 *
 * - `not_encrypted`: the file does not start like an age file
 * - `bad_header`: the header is damaged, was changed, or is of an unknown kind
 * - `bad_armor`: the text around an armored file is damaged
 * - `passphrase_needed`, `identity_needed`: the file opens with one of them, and the caller gave only the other
 * - `wrong_passphrase`, `no_matching_identity`: the given one does not open this file
 * - `work_factor_too_high`: the passphrase takes more time and memory than the limit
 * - `damaged_chunk`: bytes of the content were changed
 * - `truncated`: the end is missing
 * - `trailing_data`: something follows the end
 * - `size_mismatch`: a source returned another number of bytes than requested, or other bytes than before
 * - `bad_recipient`, `bad_identity`: an unreadable key
 * - `mixed_recipients`: one recipient removes the protection that another one gives
 * - `name_too_long`: an encrypted name would be longer than names may be
 * - `bad_manifest`: the manifest of an upload is not the one that its sender wrote
 * - `insecure_context`: browsers offer public-key cryptography to pages over HTTPS only
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
  | 'name_too_long'
  | 'bad_manifest'
  | 'insecure_context'

/** A failure of encryption or decryption. */
export class EncryptionError extends Error {
  override readonly name = 'EncryptionError'
  readonly code: EncryptionErrorCode

  constructor(code: EncryptionErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
