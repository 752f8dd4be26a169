import { instantiate } from '@svc/assembler'
import { poly1305 as nobleTag } from '@noble/ciphers/_poly1305.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { poly1305 } from './poly1305.ts'

const places = { oneTimeKeyAt: 0, factorAt: 64, sumAt: 128 }
const messageAt = 256
const program = instantiate(poly1305(places), 1)
const bytes = new Uint8Array(program.memory.buffer)
const view = new DataView(program.memory.buffer)

const number = (little: Uint8Array): bigint =>
  little.reduceRight((sum, byte) => (sum << 8n) + BigInt(byte), 0n)
const sixteenBytes = (value: bigint) =>
  Uint8Array.from({ length: 16 }, (_, index) => Number(BigInt.asUintN(8, value >> BigInt(index * 8))))
const tag = () => bytes.slice(places.sumAt, places.sumAt + 16)

/** @param message whole blocks */
function tagOf(oneTimeKey: Uint8Array, message: Uint8Array): Uint8Array {
  bytes.fill(255, places.factorAt, messageAt)
  bytes.set(oneTimeKey, places.oneTimeKeyAt)
  bytes.set(message, messageAt)
  program.clampFactor()
  if (message.length > 0) program.authenticate(messageAt, message.length / 16)
  program.writeTag()
  return tag()
}

const prime = 2n ** 130n - 5n
const maxBlock = 2n ** 128n - 1n
const edges = [0n, 1n, 5n, maxBlock - 5n, maxBlock]
const edge = fc.constantFrom(...edges)
const block = fc.oneof(edge, fc.bigInt({ min: 0n, max: maxBlock }))
const concat = (numbers: readonly bigint[]) =>
  Uint8Array.from(numbers.flatMap((value) => Array.from(sixteenBytes(value))))

test('computes the tags of @noble/ciphers', () => {
  fc.assert(
    fc.property(block, block, fc.array(block, { maxLength: 6 }), (factor, last, blocks) => {
      const [oneTimeKey, message] = [concat([factor, last]), concat(blocks)]
      expect(tagOf(oneTimeKey, message)).toEqual(nobleTag(message, oneTimeKey))
    }),
    { numRuns: 1000 },
  )
})

// With a factor of 1, the sum is that of the blocks, each with a bit 128.
test.for([
  ['0', 0n, []],
  ['p - 1', prime - 1n, [2n ** 128n - 6n, 0n, 0n]],
  ['p', prime, [2n ** 128n - 5n, 0n, 0n]],
  ['p + 1', prime + 1n, [2n ** 128n - 4n, 0n, 0n]],
  ['2^130 - 1', 2n ** 130n - 1n, [maxBlock, 0n, 0n]],
  ['2^130', 2n ** 130n, [maxBlock, 1n, 0n]],
  ['blocks of all ones', 4n * (maxBlock + 2n ** 128n), [maxBlock, maxBlock, maxBlock, maxBlock]],
] as const)('reduces a sum of %s', ([, sum, blocks]) => {
  expect(blocks.reduce((all, block) => all + block + 2n ** 128n, 0n)).toBe(sum)
  for (const last of edges) {
    const [oneTimeKey, message] = [concat([1n, last]), concat(blocks)]
    expect(number(tagOf(oneTimeKey, message))).toBe(BigInt.asUintN(128, (sum % prime) + last))
    expect(tagOf(oneTimeKey, message)).toEqual(nobleTag(message, oneTimeKey))
  }
})

test('reduces every sum that the blocks may leave, whose second limb has a carry', () => {
  const maxLimb = 2n ** 26n - 1n
  const limb = (max: bigint) =>
    fc.oneof(
      fc.constantFrom(0n, 1n, 4n, 5n, max - 5n, max - 4n, max - 1n, max),
      fc.bigInt({ min: 0n, max }),
      fc.constant(maxLimb),
    )
  const sums = fc.tuple(limb(maxLimb), limb(maxLimb + 2n ** 9n), limb(maxLimb), limb(maxLimb), limb(maxLimb))
  fc.assert(
    fc.property(sums, block, (limbs, last) => {
      for (const [index, value] of limbs.entries()) view.setBigUint64(places.sumAt + index * 8, value, true)
      bytes.set(sixteenBytes(last), places.oneTimeKeyAt + 16)
      program.writeTag()
      const sum = limbs.reduceRight((all, value) => (all << 26n) + value, 0n)
      expect(number(tag())).toBe(BigInt.asUintN(128, (sum % prime) + last))
    }),
    { numRuns: 2000 },
  )
})
