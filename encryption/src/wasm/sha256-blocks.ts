import { advance, get, i32, repeat, set, types, type Code, type Procedure } from '@svc/assembler'
import { blockBytes, roundConstants } from '../engine/sha256.ts'

// Locals: the address of the next block and the number of blocks, the eight words of the state, sixteen words of the
// schedule, and two temporary numbers.
const [pointer, blocks] = [0, 1]
const stateWord = (index: number) => 2 + (index & 7)
const scheduleWord = (index: number) => 10 + (index & 15)
const [first, spare] = [26, 27]

const indexes = (count: number) => Array.from({ length: count }, (_, index) => index)
const rotateRight = (local: number, bits: number): Code => [
  ...get(local),
  ...i32.const(32 - bits),
  ...i32.rotateLeft,
]
const shiftRight = (local: number, bits: number): Code => [
  ...get(local),
  ...i32.const(bits),
  ...i32.shiftRight,
]
const xorOf = (one: Code, two: Code, three: Code): Code => [...one, ...two, ...i32.xor, ...three, ...i32.xor]
const rotations = (local: number, [one, two, three]: readonly [number, number, number]): Code =>
  xorOf(rotateRight(local, one), rotateRight(local, two), rotateRight(local, three))

/** Half of the bytes of a word that was rotated by these bits. */
const maskedRotation = (bits: number, mask: number): Code => [
  ...[...get(spare), ...i32.const(bits), ...i32.rotateLeft, ...i32.const(mask), ...i32.and],
]
/** A word of the block: the first byte is the highest. */
const loadWord = (index: number): Code => [
  ...[...get(pointer), ...i32.load(index * 4), ...set(spare)],
  ...[...maskedRotation(8, 0x00ff00ff), ...maskedRotation(24, ~0x00ff00ff), ...i32.or],
  ...set(scheduleWord(index)),
]
/** The schedule after the words of the block (FIPS 180-4 §6.2.2), in the place of the word sixteen before. */
const extend = (index: number): Code => {
  const [two, seven, fifteen] = [scheduleWord(index - 2), scheduleWord(index - 7), scheduleWord(index - 15)]
  return [
    ...[...get(scheduleWord(index)), ...get(seven), ...i32.add],
    ...[...xorOf(rotateRight(fifteen, 7), rotateRight(fifteen, 18), shiftRight(fifteen, 3)), ...i32.add],
    ...[...xorOf(rotateRight(two, 17), rotateRight(two, 19), shiftRight(two, 10)), ...i32.add],
    ...set(scheduleWord(index)),
  ]
}

/** A round. The words move by one place, so that only two of them are written. */
const round = (index: number): Code => {
  const [a, b, c, d, e, f, g, h] = [0, 1, 2, 3, 4, 5, 6, 7].map((word) => stateWord(word - index)) as [
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
    ...(index < 16 ? loadWord(index) : extend(index)),
    ...[...get(h), ...get(scheduleWord(index)), ...i32.add, ...i32.const((roundConstants[index] ?? 0) | 0)],
    ...[...i32.add, ...chosen, ...i32.add, ...rotations(e, [6, 11, 25]), ...i32.add, ...set(first)],
    ...[...get(d), ...get(first), ...i32.add, ...set(d)],
    ...[...get(first), ...rotations(a, [2, 13, 22]), ...i32.add, ...majority, ...i32.add, ...set(h)],
  ]
}

/**
 * `addBlocks(address, blocks)`: SHA-256 (FIPS 180-4 §6.2.2) of blocks, at least one, with the state in the first 32 bytes of
 * the memory.
 */
export const addBlocks: Procedure<'addBlocks'> = {
  name: 'addBlocks',
  parameters: 2,
  locals: [{ count: 26, type: types.i32 }],
  code: repeat([
    ...indexes(8).flatMap((word) => [...i32.const(0), ...i32.load(word * 4), ...set(stateWord(word))]),
    ...indexes(64).flatMap(round),
    ...indexes(8).flatMap((word) => [
      ...[...i32.const(0), ...i32.const(0), ...i32.load(word * 4), ...get(stateWord(word)), ...i32.add],
      ...i32.store(word * 4),
    ]),
    ...[...advance(pointer, blockBytes), ...set(pointer)],
    ...advance(blocks, -1),
  ]),
}
