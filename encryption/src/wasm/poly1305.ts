import { advance, get, i32, i64, repeat, set, tee, types, type Code, type Procedure } from '@svc/assembler'

/** Bytes of a block of the authenticator. */
export const blockBytes = 16

/** Numbers of 130 bits have five limbs of 26 bits, whose products fit into 64 bits (RFC 8439 §2.5). */
export const limbs = 5
export const limbBits = 26
const limbMask = 2n ** BigInt(limbBits) - 1n

const each = Array.from({ length: limbs }, (_, index) => index)

// Locals: two parameters, the sum, the key, five times the key, the products, and the two halves of a block.
const [pointer, blocks] = [0, 1]
const sum = (limb: number) => 2 + limb
const key = (limb: number) => 7 + limb
const keyTimesFive = (limb: number) => 12 + limb
const product = (limb: number) => 17 + limb
const [low, high] = [22, 23]

const masked: Code = [...i64.const(limbMask), ...i64.and]
const shifted = (local: number, bits: number): Code => [
  ...get(local),
  ...i64.const(BigInt(bits)),
  ...i64.shiftRight,
]

/** The limbs of a block of sixteen bytes, followed by a one. */
const limbsOfBlock: readonly Code[] = [
  [...get(low), ...masked],
  [...shifted(low, 26), ...masked],
  [...shifted(low, 52), ...get(high), ...i64.const(12n), ...i64.shl, ...i64.or, ...masked],
  [...shifted(high, 14), ...masked],
  [...shifted(high, 40), ...i64.const(1n << 24n), ...i64.or],
]

/** The part of a product in one limb. Bits above 130 are multiplied by five and added at the bottom. */
const productOf = (limb: number): Code =>
  each.flatMap((of) => {
    const by = limb - of
    const factor = by >= 0 ? key(by) : keyTimesFive(by + limbs)
    return [...get(sum(of)), ...get(factor), ...i64.mul, ...(of === 0 ? [] : i64.add)]
  })

/** Keeps 26 bits of a product; the rest is added to the next one. */
const carry = (limb: number): Code => [
  ...[...get(product(limb)), ...masked, ...set(sum(limb))],
  ...shifted(product(limb), limbBits),
  ...(limb + 1 < limbs
    ? [...get(product(limb + 1)), ...i64.add, ...set(product(limb + 1))]
    : [...i64.const(5n), ...i64.mul, ...get(sum(0)), ...i64.add, ...set(sum(0))]),
]

/**
 * `authenticate(address, blocks)`: adds blocks to the sum of Poly1305.
 * @param sumAt address of the five limbs of the sum, 64 bits each
 * @param keyAt the same for those of the key
 */
export const authenticate = (sumAt: number, keyAt: number): Procedure<'authenticate'> => ({
  name: 'authenticate',
  parameters: 2,
  locals: [{ count: 22, type: types.i64 }],
  code: [
    ...each.flatMap((limb) => [
      ...[...i32.const(sumAt), ...i64.load(limb * 8), ...set(sum(limb))],
      ...[...i32.const(keyAt), ...i64.load(limb * 8), ...tee(key(limb))],
      ...[...i64.const(5n), ...i64.mul, ...set(keyTimesFive(limb))],
    ]),
    ...repeat([
      ...[...get(pointer), ...i64.load(0), ...set(low), ...get(pointer), ...i64.load(8), ...set(high)],
      ...each.flatMap((limb) => [
        ...[...get(sum(limb)), ...(limbsOfBlock[limb] ?? []), ...i64.add, ...set(sum(limb))],
      ]),
      ...each.flatMap((limb) => [...productOf(limb), ...set(product(limb))]),
      ...each.flatMap(carry),
      ...[...shifted(sum(0), limbBits), ...get(sum(1)), ...i64.add, ...set(sum(1))],
      ...[...get(sum(0)), ...masked, ...set(sum(0))],
      ...[...advance(pointer, blockBytes), ...set(pointer)],
      ...advance(blocks, -1),
    ]),
    ...each.flatMap((limb) => [...i32.const(sumAt), ...get(sum(limb)), ...i64.store(limb * 8)]),
  ],
})
