import { advance, get, i32, i64, repeat, set, types, type Code, type Procedure } from '@svc/assembler'

/** Bytes of a block of the authenticator. */
export const blockBytes = 16

/** Addresses in the memory. */
interface Places {
  /** The key of one message, 32 bytes: the factor, then the number that is added at the end (RFC 8439 §2.5). */
  readonly oneTimeKeyAt: number
  /** The limbs of the clamped factor, 64 bits each. */
  readonly factorAt: number
  /** The limbs of the sum, 64 bits each; at the end, the tag in the first 16 bytes. */
  readonly sumAt: number
}

/** Numbers of 130 bits have five limbs of 26 bits, whose products fit into 64 bits. */
const limbs = 5
const limbBits = 26
const limbMask = 2n ** BigInt(limbBits) - 1n
const each = Array.from({ length: limbs }, (_, index) => index)

const masked: Code = [...i64.const(limbMask), ...i64.and]
const shifted = (local: number, bits: number, way: Code = i64.shiftRight): Code => [
  ...[...get(local), ...i64.const(BigInt(bits)), ...way],
]
const added = (local: number, code: Code): Code => [...get(local), ...code, ...i64.add, ...set(local)]

/** The limbs of sixteen bytes, which are in two locals. */
const limbsOf = (low: number, high: number): readonly Code[] => [
  [...get(low), ...masked],
  [...shifted(low, 26), ...masked],
  [...shifted(low, 52), ...shifted(high, 12, i64.shl), ...i64.or, ...masked],
  [...shifted(high, 14), ...masked],
  shifted(high, 40),
]

const loadLimbs = (address: number, local: (limb: number) => number): Code =>
  each.flatMap((limb) => [...i32.const(address), ...i64.load(limb * 8), ...set(local(limb))])
const storeLimbs = (address: number, code: (limb: number) => Code): Code =>
  each.flatMap((limb) => [...i32.const(address), ...code(limb), ...i64.store(limb * 8)])

/** `clampFactor()`: the limbs of the factor of a one-time key, with its clamped bits (RFC 8439 §2.5), and a sum of 0. */
function clampFactor({ oneTimeKeyAt, factorAt, sumAt }: Places): Procedure<'clampFactor'> {
  const [low, high] = [0, 1]
  const factor = limbsOf(low, high)
  const clamped = (offset: number, mask: bigint): Code => [
    ...[...i32.const(oneTimeKeyAt), ...i64.load(offset), ...i64.const(mask), ...i64.and],
  ]
  return {
    name: 'clampFactor',
    parameters: 0,
    locals: [{ count: 2, type: types.i64 }],
    code: [
      ...[...clamped(0, 0x0ffffffc0fffffffn), ...set(low), ...clamped(8, 0x0ffffffc0ffffffcn), ...set(high)],
      ...storeLimbs(factorAt, (limb) => factor[limb] ?? []),
      ...storeLimbs(sumAt, () => i64.const(0n)),
    ],
  }
}

/** `authenticate(address, blocks)`: adds blocks, at least one, to the sum. */
function authenticate({ factorAt, sumAt }: Places): Procedure<'authenticate'> {
  // Locals: two parameters, the sum, the factor, five times the factor, the products, and the two halves of a block.
  const [pointer, blocks] = [0, 1]
  const sum = (limb: number) => 2 + limb
  const factor = (limb: number) => 7 + limb
  const factorTimesFive = (limb: number) => 12 + limb
  const product = (limb: number) => 17 + limb
  const [low, high] = [22, 23]

  /** A one follows the sixteen bytes of a block. */
  const limbsOfBlock = limbsOf(low, high).map((code, limb) =>
    limb + 1 < limbs ? code : [...code, ...i64.const(1n << 24n), ...i64.or],
  )
  /** The part of a product in one limb. Bits above 130 are multiplied by five and added at the bottom. */
  const productOf = (limb: number): Code =>
    each.flatMap((sumLimb) => {
      const factorLimb = limb - sumLimb
      const multiplier = factorLimb >= 0 ? factor(factorLimb) : factorTimesFive(factorLimb + limbs)
      return [...get(sum(sumLimb)), ...get(multiplier), ...i64.mul, ...(sumLimb === 0 ? [] : i64.add)]
    })
  /** Keeps 26 bits of a product; the rest is added to the next one. */
  const carry = (limb: number): Code => [
    ...[...get(product(limb)), ...masked, ...set(sum(limb))],
    ...(limb + 1 < limbs
      ? added(product(limb + 1), shifted(product(limb), limbBits))
      : added(sum(0), [...shifted(product(limb), limbBits), ...i64.const(5n), ...i64.mul])),
  ]
  return {
    name: 'authenticate',
    parameters: 2,
    locals: [{ count: 22, type: types.i64 }],
    code: [
      ...loadLimbs(sumAt, sum),
      ...loadLimbs(factorAt, factor),
      ...each.flatMap((limb) => [
        ...[...get(factor(limb)), ...i64.const(5n), ...i64.mul, ...set(factorTimesFive(limb))],
      ]),
      ...repeat([
        ...[...get(pointer), ...i64.load(0), ...set(low), ...get(pointer), ...i64.load(8), ...set(high)],
        ...each.flatMap((limb) => added(sum(limb), limbsOfBlock[limb] ?? [])),
        ...each.flatMap((limb) => [...productOf(limb), ...set(product(limb))]),
        ...each.flatMap(carry),
        ...added(sum(1), shifted(sum(0), limbBits)),
        ...[...get(sum(0)), ...masked, ...set(sum(0))],
        ...[...advance(pointer, blockBytes), ...set(pointer)],
        ...advance(blocks, -1),
      ]),
      ...storeLimbs(sumAt, (limb) => get(sum(limb))),
    ],
  }
}

/**
 * `writeTag()`: the sum modulo 2^130 - 5, plus the second half of the one-time key, modulo 2^128. It has no branches, so its
 * time does not depend on the numbers.
 */
function writeTag({ oneTimeKeyAt, sumAt }: Places): Procedure<'writeTag'> {
  const sum = (limb: number) => limb
  const [low, high, excess] = [5, 6, 7]
  /** Keeps 26 bits of a limb; the rest is added to the next one. */
  const carry = (limb: number): Code => [
    ...added(sum(limb + 1), shifted(sum(limb), limbBits)),
    ...[...get(sum(limb)), ...masked, ...set(sum(limb))],
  ]
  const lastNumber = limbsOf(low, high)
  return {
    name: 'writeTag',
    parameters: 0,
    locals: [{ count: 8, type: types.i64 }],
    code: [
      ...loadLimbs(sumAt, sum),
      // The sum is less than twice the prime. Plus five, it has bit 130 exactly if it is at least the prime.
      ...[...i64.const(5n), ...set(excess)],
      ...each.flatMap((limb) => [
        ...[...get(sum(limb)), ...get(excess), ...i64.add, ...i64.const(BigInt(limbBits))],
        ...[...i64.shiftRight, ...set(excess)],
      ]),
      // Adding five and dropping bit 130 subtracts the prime. The tag has 128 bits, so nothing above them is kept.
      ...added(sum(0), [...get(excess), ...i64.const(5n), ...i64.mul]),
      ...[...i32.const(oneTimeKeyAt), ...i64.load(16), ...set(low)],
      ...[...i32.const(oneTimeKeyAt), ...i64.load(24), ...set(high)],
      ...each.flatMap((limb) => added(sum(limb), lastNumber[limb] ?? [])),
      ...[0, 1, 2, 3].flatMap(carry),
      ...[...i32.const(sumAt), ...get(sum(0)), ...shifted(sum(1), 26, i64.shl), ...i64.or],
      ...[...shifted(sum(2), 52, i64.shl), ...i64.or, ...i64.store(0)],
      ...[...i32.const(sumAt), ...shifted(sum(2), 12), ...shifted(sum(3), 14, i64.shl), ...i64.or],
      ...[...shifted(sum(4), 40, i64.shl), ...i64.or, ...i64.store(8)],
    ],
  }
}

/** Poly1305 (RFC 8439 §2.5): `clampFactor`, then `authenticate`, then `writeTag`. */
export const poly1305 = (places: Places) =>
  [clampFactor(places), authenticate(places), writeTag(places)] as const
