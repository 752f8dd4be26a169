/** A key that is not an id of the service, and must not reach a store. */
export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError'
}

const wellFormedKey = /^[0-9A-Za-z]{1,64}$/

/** Whether a name that a store lists can be a key. */
export const isKey = (name: string): boolean => wellFormedKey.test(name)

/** @throws InvalidKeyError, so that no external name becomes part of a path */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new InvalidKeyError('a storage key is 1 to 64 letters and digits')
}
