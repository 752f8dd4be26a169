const codes: readonly unknown[] = [
  'wrong_passphrase',
  'passphrase_needed',
  'no_matching_identity',
  'bad_identity',
]

/** Whether a file would not open with a key, so that another one may. Not by its class: pages know of it before they decrypt. */
export const isWrongKey = (error: unknown): boolean =>
  error instanceof Error && error.name === 'EncryptionError' && codes.includes(Reflect.get(error, 'code'))
