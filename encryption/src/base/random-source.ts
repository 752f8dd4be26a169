/** Fills an array with random bytes. */
export type RandomSource = (bytes: Uint8Array<ArrayBuffer>) => void

/** The random bytes of the system, in browsers and Node. */
export const systemRandom: RandomSource = (bytes) => {
  crypto.getRandomValues(bytes)
}
