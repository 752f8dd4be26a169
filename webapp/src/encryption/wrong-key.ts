const codes: readonly unknown[] = [
  'wrong_passphrase',
  'passphrase_needed',
  'no_matching_identity',
  'bad_identity',
]

/** Whether an error means a wrong key. Does not use the class, which is loaded only for decryption. */
export const isWrongKey = (error: unknown): boolean =>
  error instanceof Error && error.name === 'EncryptionError' && codes.includes(Reflect.get(error, 'code'))
