/** A key that is none of our ids: nothing may be asked of a store with it. */
export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError'
}

const wellFormedKey = /^[0-9A-Za-z]{1,64}$/

/** Whether a name that a store lists can be a key. */
export const isKey = (name: string): boolean => wellFormedKey.test(name)

/** @throws InvalidKeyError before a name from outside could reach a path */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new InvalidKeyError('a storage key is 1 to 64 letters and digits')
}
