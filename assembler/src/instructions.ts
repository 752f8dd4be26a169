/** The instructions of WebAssembly that ciphers and hashes need, in the binary format (W3C, "WebAssembly 3.0", chapter 5). */

/** Bytes of a module, or a part of it. */
export type Code = readonly number[]

/** An unsigned integer in LEB128. */
export function unsigned(value: number): number[] {
  const bytes = []
  let rest = value
  do {
    const more = rest >= 128 ? 128 : 0
    bytes.push((rest % 128) + more)
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return bytes
}

/** A signed integer in LEB128: the highest bit of the last group is the sign. */
function signed(value: bigint): number[] {
  const bytes = []
  for (let rest = value; ;) {
    const low = Number(BigInt.asUintN(7, rest))
    rest >>= 7n
    const isLast = (rest === 0n && low < 64) || (rest === -1n && low >= 64)
    bytes.push(isLast ? low : low + 128)
    if (isLast) return bytes
  }
}

/** Alignment and offset of a memory access. All accesses are aligned to 16 bytes. */
const at = (offset: number): number[] => [0, ...unsigned(offset)]
const vector = (opcode: number) => [0xfd, ...unsigned(opcode)]

export const get = (local: number): Code => [0x20, ...unsigned(local)]
export const set = (local: number): Code => [0x21, ...unsigned(local)]
export const tee = (local: number): Code => [0x22, ...unsigned(local)]

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(BigInt(value))],
  load: (offset: number): Code => [0x28, ...at(offset)],
  store: (offset: number): Code => [0x36, ...at(offset)],
  add: [0x6a],
  and: [0x71],
  or: [0x72],
  xor: [0x73],
  rotateLeft: [0x77],
} as const

export const i64 = {
  const: (value: bigint): Code => [0x42, ...signed(value)],
  load: (offset: number): Code => [0x29, ...at(offset)],
  store: (offset: number): Code => [0x37, ...at(offset)],
  add: [0x7c],
  mul: [0x7e],
  and: [0x83],
  or: [0x84],
  shl: [0x86],
  shiftRight: [0x88],
} as const

/** Vector instructions: 16 bytes, or four words of 32 bits. */
export const v128 = {
  load: (offset: number): Code => [...vector(0), ...at(offset)],
  /** Loads one word into all four lanes. */
  loadSplat: (offset: number): Code => [...vector(9), ...at(offset)],
  store: (offset: number): Code => [...vector(11), ...at(offset)],
  words: (...words: readonly [number, number, number, number]): Code => [
    ...vector(12),
    ...words.flatMap((word) => [word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff, word >>> 24]),
  ],
  /** Selects 16 bytes of two vectors; the bytes of the second have the numbers 16 to 31. */
  shuffle: (bytes: readonly number[]): Code => [...vector(13), ...bytes],
  not: vector(77),
  and: vector(78),
  or: vector(80),
  xor: vector(81),
  shl: vector(171),
  shiftRight: vector(173),
  add: vector(174),
} as const

/** Adds to a local, and leaves the sum on the stack. */
export const advance = (local: number, by: number): Code => [
  ...[...get(local), ...i32.const(by), ...i32.add, ...tee(local)],
]

/** Repeats code until it leaves 0 on the stack. */
export const repeat = (code: Code): Code => [0x03, 0x40, ...code, 0x0d, 0, 0x0b]

export const types = { i32: 0x7f, i64: 0x7e, v128: 0x7b } as const
