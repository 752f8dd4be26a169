/** How an encrypted file begins: binary, or as text (https://age-encryption.org/v1, “ASCII armor”). */
const beginnings = ['age-encryption.org/v1\n', '-----BEGIN AGE ENCRYPTED FILE-----']

/** The number of bytes that shows whether a file is encrypted. */
export const ageHeadBytes = Math.min(...beginnings.map(({ length }) => length))

/**
 * Whether a file begins as one that is encrypted with age.
 * @param head its first bytes, at least `ageHeadBytes` unless it is shorter
 */
export function isAgeHead(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, ageHeadBytes))
  return beginnings.some((beginning) => beginning.slice(0, ageHeadBytes) === text)
}
