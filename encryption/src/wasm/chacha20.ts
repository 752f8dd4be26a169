import { advance, get, i32, repeat, set, tee, types, v128, type Code, type Procedure } from '@svc/assembler'

/** Bytes of four blocks of the key stream, computed together: each vector holds one word of all four. */
export const groupBytes = 256

const words = Array.from({ length: 16 }, (_, index) => index)
const counterWord = 12
const rounds = 10

// Locals: two parameters, the sixteen words, and a temporary number and vector.
const [pointer, groups] = [0, 1]
const word = (index: number) => 2 + index
const [count, spare] = [18, 19]

const rotations: Readonly<Record<16 | 8, readonly number[]>> = {
  16: [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13],
  8: [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14],
}

/** Rotates the words on the stack by whole bytes, with one instruction. */
const rotateBytes = (bits: 16 | 8): Code => [...tee(spare), ...get(spare), ...v128.shuffle(rotations[bits])]
const rotate = (bits: number): Code => [
  ...tee(spare),
  ...i32.const(bits),
  ...v128.shl,
  ...get(spare),
  ...i32.const(32 - bits),
  ...v128.shiftRight,
  ...v128.or,
]

/** `a += b; d = rotated(d ^ a)` (RFC 8439 §2.1) */
const step = (a: number, b: number, d: number, rotated: Code): Code => [
  ...[...get(word(a)), ...get(word(b)), ...v128.add, ...tee(word(a))],
  ...[...get(word(d)), ...v128.xor, ...rotated, ...set(word(d))],
]

const quarterRound = (a: number, b: number, c: number, d: number): Code => [
  ...step(a, b, d, rotateBytes(16)),
  ...step(c, d, b, rotate(12)),
  ...step(a, b, d, rotateBytes(8)),
  ...step(c, d, b, rotate(7)),
]

const doubleRound: Code = [
  ...[0, 1, 2, 3].flatMap((column) => quarterRound(column, column + 4, column + 8, column + 12)),
  ...[0, 1, 2, 3].flatMap((column) =>
    quarterRound(column, 4 + ((column + 1) % 4), 8 + ((column + 2) % 4), 12 + ((column + 3) % 4)),
  ),
]

/** Loads a word of the state, at the beginning of the memory, for all four blocks. */
const stateWord = (index: number): Code => [
  ...i32.const(0),
  ...v128.loadSplat(index * 4),
  ...(index === counterWord ? [...v128.words(0, 1, 2, 3), ...v128.add] : []),
]

const bytesOf = (places: readonly number[], size: number) =>
  places.flatMap((place) => Array.from({ length: size }, (_, byte) => place * size + byte))

/** Interleaves words of two vectors: the first two of each, or the last two. */
const interleaved = { low: bytesOf([0, 4, 1, 5], 4), high: bytesOf([2, 6, 3, 7], 4) } as const
/** Halves of two vectors. */
const halves = { low: bytesOf([0, 2], 8), high: bytesOf([1, 3], 8) } as const

/** Transposes four vectors, each with one word of four blocks, and applies the four words of each block to the bytes. */
function apply(first: number): Code {
  const pair = (index: number, half: keyof typeof interleaved): Code => [
    ...[...get(word(index)), ...get(word(index + 1)), ...v128.shuffle(interleaved[half])],
  ]
  return (['low', 'high'] as const).flatMap((pairs, pairIndex) =>
    (['low', 'high'] as const).flatMap((half, halfIndex) => {
      const offset = (pairIndex * 2 + halfIndex) * 64 + first * 4
      return [
        ...get(pointer),
        ...[...pair(first, pairs), ...pair(first + 2, pairs), ...v128.shuffle(halves[half])],
        ...[...get(pointer), ...v128.load(offset), ...v128.xor, ...v128.store(offset)],
      ]
    }),
  )
}

/**
 * `xorKeyStream(address, groups)`: the key stream of ChaCha20 (RFC 8439 §2.4) over `groups` times 256 bytes, from the
 * state in the first 64 bytes of the memory on, whose counter it moves.
 */
export const xorKeyStream: Procedure<'xorKeyStream'> = {
  name: 'xorKeyStream',
  parameters: 2,
  locals: [
    { count: 16, type: types.v128 },
    { count: 1, type: types.i32 },
    { count: 1, type: types.v128 },
  ],
  code: repeat([
    ...words.flatMap((index) => [...stateWord(index), ...set(word(index))]),
    ...[...i32.const(rounds), ...set(count)],
    ...repeat([...doubleRound, ...advance(count, -1)]),
    ...words.flatMap((index) => [...get(word(index)), ...stateWord(index), ...v128.add, ...set(word(index))]),
    ...[0, 4, 8, 12].flatMap(apply),
    ...[...i32.const(0), ...i32.const(0), ...i32.load(counterWord * 4)],
    ...[...i32.const(4), ...i32.add, ...i32.store(counterWord * 4)],
    ...[...advance(pointer, groupBytes), ...set(pointer)],
    ...advance(groups, -1),
  ]),
}
