import { advance, get, i32, repeat, set, tee, types, v128, type Code, type Procedure } from '@svc/assembler'
import { blockBytes, roundConstants } from '../engine/sha256.ts'

/** Address of the schedule of a block, with the constants of the rounds. The state is in the first 32 bytes. */
const scheduleAt = 64
/** Address after it. */
export const blocksAt = scheduleAt + 64 * 4

// Locals: the address of the next block and the number of blocks, the eight words of the state, a temporary number, four
// vectors of the schedule, and two temporary vectors.
const [pointer, blocks] = [0, 1]
const stateWord = (index: number) => 2 + (index & 7)
const first = 10
const scheduleVector = (index: number) => 11 + (index & 3)
const [word, sum] = [15, 16]

const indexes = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Four words of two vectors that lie one after the other, from a word on. */
const wordsFrom = (start: number): Code => v128.shuffle(indexes(16).map((byte) => start * 4 + byte))
/** The bytes of each word in the opposite order. */
const swapBytes: Code = v128.shuffle(indexes(16).map((byte) => (byte & ~3) + 3 - (byte & 3)))
const none: Code = v128.words(0, 0, 0, 0)

type Shifts = readonly [rotation: number, rotation: number, shift: number]

/** The rotations and the shift of the words on the stack, combined (FIPS 180-4 §4.1.2). */
const mixed = ([firstRotation, secondRotation, shift]: Shifts): Code => {
  const shifted = (code: Code, bits: number): Code => [...get(word), ...i32.const(bits), ...code]
  return [
    ...[
      ...set(word),
      ...shifted(v128.shiftRight, firstRotation),
      ...shifted(v128.shl, 32 - firstRotation),
      ...v128.xor,
    ],
    ...[
      ...shifted(v128.shiftRight, secondRotation),
      ...v128.xor,
      ...shifted(v128.shl, 32 - secondRotation),
      ...v128.xor,
    ],
    ...[...shifted(v128.shiftRight, shift), ...v128.xor],
  ]
}

/** The next four words of the schedule, in the place of those sixteen before (FIPS 180-4 §6.2.2). */
function extend(index: number): Code {
  const [oldest, second, third, newest] = [0, 1, 2, 3].map((ago) => get(scheduleVector(index + ago))) as [
    Code,
    Code,
    Code,
    Code,
  ]
  const low: Shifts = [7, 18, 3]
  const high: Shifts = [17, 19, 10]
  return [
    ...[...oldest, ...second, ...wordsFrom(1), ...mixed(low), ...oldest, ...v128.add],
    ...[...third, ...newest, ...wordsFrom(1), ...v128.add],
    // The last two words need the first two. A word of zeros stays 0.
    ...[...newest, ...none, ...wordsFrom(2), ...mixed(high), ...v128.add, ...tee(sum)],
    ...[...none, ...get(sum), ...wordsFrom(2), ...mixed(high), ...v128.add],
    ...set(scheduleVector(index)),
  ]
}

/** Four words of the schedule, with their constants, in the memory. */
function schedule(index: number): Code {
  const [a = 0, b = 0, c = 0, d = 0] = roundConstants.slice(index * 4, index * 4 + 4)
  const load: Code = [...get(pointer), ...v128.load(index * 16), ...tee(word), ...get(word), ...swapBytes]
  return [
    ...(index < 4 ? [...load, ...set(scheduleVector(index))] : extend(index)),
    ...[...i32.const(0), ...get(scheduleVector(index)), ...v128.words(a, b, c, d), ...v128.add],
    ...v128.store(scheduleAt + index * 16),
  ]
}

const rotated = (local: number, bits: number): Code => [
  ...get(local),
  ...i32.const(32 - bits),
  ...i32.rotateLeft,
]
const rotations = (local: number, [first, second, third]: readonly [number, number, number]): Code => [
  ...[...rotated(local, first), ...rotated(local, second), ...i32.xor, ...rotated(local, third), ...i32.xor],
]

/** A round. The words move by one place, so that only two of them are written. */
function round(index: number): Code {
  const [a, b, c, d, e, f, g, h] = indexes(8).map((place) => stateWord(place - index)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const chosen = [...get(f), ...get(g), ...i32.xor, ...get(e), ...i32.and, ...get(g), ...i32.xor]
  const majority = [
    ...[...get(a), ...get(b), ...i32.or, ...get(c), ...i32.and],
    ...[...get(a), ...get(b), ...i32.and, ...i32.or],
  ]
  return [
    ...[...get(h), ...i32.const(0), ...i32.load(scheduleAt + index * 4), ...i32.add],
    ...[...chosen, ...i32.add, ...rotations(e, [6, 11, 25]), ...i32.add, ...set(first)],
    ...[...get(d), ...get(first), ...i32.add, ...set(d)],
    ...[...get(first), ...rotations(a, [2, 13, 22]), ...i32.add, ...majority, ...i32.add, ...set(h)],
  ]
}

/**
 * `addBlocks(address, blocks)`: SHA-256 (FIPS 180-4 §6.2.2) of blocks, at least one, with the state in the first 32 bytes of
 * the memory. The schedule is computed four words at a time, ahead of the rounds: a processor does both at once, and they use
 * other registers.
 */
export const addBlocks: Procedure<'addBlocks'> = {
  name: 'addBlocks',
  parameters: 2,
  locals: [
    { count: 9, type: types.i32 },
    { count: 6, type: types.v128 },
  ],
  code: repeat([
    ...indexes(8).flatMap((place) => [...i32.const(0), ...i32.load(place * 4), ...set(stateWord(place))]),
    ...schedule(0),
    ...indexes(16).flatMap((four) => [
      ...(four < 15 ? schedule(four + 1) : []),
      ...indexes(4).flatMap((index) => round(four * 4 + index)),
    ]),
    ...indexes(8).flatMap((place) => [
      ...[...i32.const(0), ...i32.const(0), ...i32.load(place * 4), ...get(stateWord(place)), ...i32.add],
      ...i32.store(place * 4),
    ]),
    ...[...advance(pointer, blockBytes), ...set(pointer)],
    ...advance(blocks, -1),
  ]),
}
