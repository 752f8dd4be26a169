import { advance, get, i32, repeat, set, tee, types, v128, type Code, type Procedure } from '@svc/assembler'

/** Bytes of an md5 block. */
export const blockBytes = 64

/** The number of md5 states that are updated at once: a vector has one word of each. */
export const lanes = 4

/** Indexes of the words of a state. */
const words = [0, 1, 2, 3] as const

// Layout of a procedure's context: first the words of the states, then the constants.
const constantsAt = 64
/** Bytes of the context of the procedures. It starts with the words of the states, 4 or 16 bytes each. */
export const contextBytes = constantsAt + 64 * 4

/** T[i] of RFC 1321 §3.4: 2^32 times the sines of 1 to 64. */
const constants = Array.from({ length: 64 }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32))
const rotations = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const
/** The word of the block that a step uses, in each of the four rounds. */
const blockWordIndex = [
  (step: number) => step,
  (step: number) => 5 * step + 1,
  (step: number) => 3 * step + 5,
  (step: number) => 7 * step,
]

/** Writes the constants to the context of the procedures. */
export function layOutContext(context: DataView): void {
  for (const [step, constant] of constants.entries())
    context.setUint32(constantsAt + step * 4, constant, true)
}

/** Arithmetic on words: of one state, or of four states in vectors. */
interface Arithmetic {
  readonly add: Code
  readonly and: Code
  readonly or: Code
  readonly xor: Code
  readonly not: Code
  /** Rotates the top of the stack to the left. */
  readonly rotate: (bits: number) => Code
  readonly constant: (step: number) => Code
  /** A word of the block. */
  readonly blockWord: (index: number) => Code
}

// Locals after the parameters: the four words of the state, and their values before the block.
const stateWords = 8

/**
 * Adds a block to a state. The speed of md5 is limited by the dependency of each step on the previous one. So terms that
 * do not depend on the previous step are added first, and the function of the second round is a sum of two terms, of
 * which one depends on it.
 */
function compress(first: number, { add, and, or, xor, not, rotate, constant, blockWord }: Arithmetic): Code {
  const word = (index: number) => first + ((index + 4) % 4)
  const before = (index: number) => first + 4 + index
  const roundFunction = (round: number, [b, c, d]: readonly [Code, Code, Code]): Code => {
    if (round === 0) return [...c, ...d, ...xor, ...b, ...and, ...d, ...xor, ...add]
    if (round === 1) return [...d, ...not, ...c, ...and, ...add, ...b, ...d, ...and, ...add]
    if (round === 2) return [...c, ...d, ...xor, ...b, ...xor, ...add]
    return [...d, ...not, ...b, ...or, ...c, ...xor, ...add]
  }
  const step = (index: number): Code => {
    const round = Math.floor(index / 16)
    const a = word(-index % 4)
    const [b, c, d] = [get(word((1 - index) % 4)), get(word((2 - index) % 4)), get(word((3 - index) % 4))]
    return [
      ...[
        ...get(a),
        ...constant(index),
        ...add,
        ...blockWord((blockWordIndex[round]?.(index) ?? 0) % 16),
        ...add,
      ],
      ...[
        ...roundFunction(round, [b, c, d]),
        ...rotate(rotations[round]?.[index % 4] ?? 0),
        ...b,
        ...add,
        ...set(a),
      ],
    ]
  }
  return [
    ...words.flatMap((index) => [...get(word(index)), ...set(before(index))]),
    ...constants.flatMap((_, index) => step(index)),
    ...words.flatMap((index) => [...get(word(index)), ...get(before(index)), ...add, ...set(word(index))]),
  ]
}

/** `one(context, bytes, blocks)`: adds this number of blocks to one state. */
function one(): Procedure<'one'> {
  const [context, bytes, blocks, first] = [0, 1, 2, 3]
  return {
    name: 'one',
    parameters: 3,
    locals: [{ count: stateWords, type: types.i32 }],
    code: [
      ...words.flatMap((index) => [...get(context), ...i32.load(index * 4), ...set(first + index)]),
      ...repeat([
        ...compress(first, {
          ...i32,
          not: [...i32.const(-1), ...i32.xor],
          rotate: (bits) => [...i32.const(bits), ...i32.rotateLeft],
          constant: (step) => i32.const((constants[step] ?? 0) | 0),
          blockWord: (index) => [...get(bytes), ...i32.load(index * 4)],
        }),
        ...[...advance(bytes, blockBytes), ...set(bytes)],
        ...advance(blocks, -1),
      ]),
      ...words.flatMap((index) => [...get(context), ...get(first + index), ...i32.store(index * 4)]),
    ],
  }
}

const bytesOf = (positions: readonly number[], size: number) =>
  positions.flatMap((position) => Array.from({ length: size }, (_, byte) => position * size + byte))
/** Interleaves the words of two vectors: the first two of each, or the last two. */
const interleaved = [bytesOf([0, 4, 1, 5], 4), bytesOf([2, 6, 3, 7], 4)]
/** The first halves of two vectors, or the second. */
const halves = [bytesOf([0, 2], 8), bytesOf([1, 3], 8)]

/** `four(context, bytes, bytes, bytes, bytes, blocks)`: adds this number of blocks to each of four states. */
function four(): Procedure<'four'> {
  const [context, bytes, blocks, first] = [0, 1, 1 + lanes, 2 + lanes]
  const blockWord = (index: number) => first + stateWords + index
  const spare = blockWord(16)
  /** Transposes four words of each lane's block to four vectors, each with one word of all lanes. */
  const transpose = (group: number): Code => {
    const pair = (firstLane: number, words: readonly number[]): Code =>
      [firstLane, firstLane + 1]
        .flatMap((lane) => [...get(bytes + lane), ...v128.load(group * 16)])
        .concat(v128.shuffle(words))
    return interleaved.flatMap((words, wordsIndex) =>
      halves.flatMap((half, halfIndex) => [
        ...[...pair(0, words), ...pair(2, words), ...v128.shuffle(half)],
        ...set(blockWord(group * 4 + wordsIndex * 2 + halfIndex)),
      ]),
    )
  }
  return {
    name: 'four',
    parameters: 2 + lanes,
    locals: [{ count: stateWords + 16 + 1, type: types.v128 }],
    code: [
      ...words.flatMap((index) => [...get(context), ...v128.load(index * 16), ...set(first + index)]),
      ...repeat([
        ...[0, 1, 2, 3].flatMap(transpose),
        ...compress(first, {
          ...v128,
          rotate: (bits) => [
            ...[...tee(spare), ...i32.const(bits), ...v128.shl],
            ...[...get(spare), ...i32.const(32 - bits), ...v128.shiftRight, ...v128.or],
          ],
          constant: (step) => [...get(context), ...v128.loadSplat(constantsAt + step * 4)],
          blockWord: (index) => get(blockWord(index)),
        }),
        ...[0, 1, 2, 3].flatMap((lane) => [...advance(bytes + lane, blockBytes), ...set(bytes + lane)]),
        ...advance(blocks, -1),
      ]),
      ...words.flatMap((index) => [...get(context), ...get(first + index), ...v128.store(index * 16)]),
    ],
  }
}

/** A function, because only hash threads need the procedures: the main thread needs `contextBytes` alone. */
export const procedures = (): readonly Procedure<'one' | 'four'>[] => [one(), four()]
