/** The eight words of SHA-256 between two blocks (FIPS 180-4 §5.3.3, §6.2). */
export type Sha256State = Uint32Array<ArrayBuffer>

/** Adds whole blocks to a state. */
export type CompressBlocks = (state: Sha256State, blocks: Uint8Array) => void

export const blockBytes = 64

/** The first 32 bits of the fractional part of a number that is above 1. */
const fraction = (value: number): number => ((value % 1) * 2 ** 32) >>> 0

function primes(count: number): readonly number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate += 1)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  return found
}

/** The constants of the rounds: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
export const roundConstants: readonly number[] = primes(64).map((prime) => fraction(Math.cbrt(prime)))

/** The state before the first block: the same of the square roots of the first eight primes. */
export const initialState = (): Sha256State =>
  Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)))

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

/** The schedule of a block (FIPS 180-4 §6.2.2). */
function fillSchedule(schedule: Int32Array, view: DataView, at: number): void {
  for (let index = 0; index < 16; index += 1) schedule[index] = view.getInt32(at + index * 4)
  for (let index = 16; index < 64; index += 1) {
    const two = schedule[index - 2] ?? 0
    const fifteen = schedule[index - 15] ?? 0
    const sigma0 = rotated(fifteen, 7) ^ rotated(fifteen, 18) ^ (fifteen >>> 3)
    const sigma1 = rotated(two, 17) ^ rotated(two, 19) ^ (two >>> 10)
    schedule[index] = (schedule[index - 16] ?? 0) + sigma0 + (schedule[index - 7] ?? 0) + sigma1
  }
}

/** SHA-256 in JavaScript, for browsers without WebAssembly. */
export const jsCompress: CompressBlocks = (state, blocks) => {
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.length)
  const schedule = new Int32Array(64)
  for (let at = 0; at < blocks.length; at += blockBytes) {
    fillSchedule(schedule, view, at)
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let index = 0; index < 64; index += 1) {
      const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      const ch = (e & f) ^ (~e & g)
      const t1 = (h + sum1 + ch + (roundConstants[index] ?? 0) + (schedule[index] ?? 0)) | 0
      const t2 = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    for (const [index, value] of [a, b, c, d, e, f, g, h].entries())
      state[index] = (state[index] ?? 0) + value
  }
}

/** The bytes after the last whole block, with the padding (FIPS 180-4 §5.1.1). */
function padded(rest: Uint8Array, total: number): Uint8Array {
  const blocks = new Uint8Array(Math.ceil((rest.length + 9) / blockBytes) * blockBytes)
  blocks.set(rest)
  blocks[rest.length] = 0x80
  new DataView(blocks.buffer).setBigUint64(blocks.length - 8, BigInt(total) * 8n)
  return blocks
}

/**
 * Adds bytes to a state.
 * @param bytes whole blocks, except at the end of the content
 * @param total bytes of the whole content, at its end; undefined before
 * @returns the new state; at the end, the words of the digest
 */
export function addBytes(
  compress: CompressBlocks,
  before: Sha256State,
  bytes: Uint8Array,
  total: number | undefined,
): Sha256State {
  const state = before.slice()
  const whole = bytes.length - (bytes.length % blockBytes)
  compress(state, bytes.subarray(0, whole))
  if (total !== undefined) compress(state, padded(bytes.subarray(whole), total))
  return state
}

/** The digest in hexadecimal digits. */
export const hexOf = (state: Sha256State): string =>
  Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
