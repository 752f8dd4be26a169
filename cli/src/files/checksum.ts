/** Algorithms, as `node:crypto` names them. */
export type Algorithm = 'md5' | 'sha1' | 'sha256' | 'sha512'

/** A checksum that the bytes of a file must have. */
export interface Checksum {
  readonly algorithm: Algorithm
  /** In hexadecimal digits. */
  readonly value: string
}

/** As people write the algorithms. */
export const algorithmNames: Readonly<Record<Algorithm, string>> = {
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha512: 'SHA-512',
}
