import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reservedBytes } from './reserved-bytes.ts'

const payers = [null, 'network 192.0.2.1', 'network 192.0.2.2', 'account local:ada']

test('a payer finds all that it announced, and of each other at most a part', () => {
  const reserved = reservedBytes()
  reserved.restart(new Map([['a', 100]]), 40)
  reserved.add('b', 30)
  reserved.add(null, 1_000)
  expect(reserved.seenBy('a')).toBe(100 + 30 + 1_000)
  expect(reserved.seenBy('b')).toBe(40 + 30 + 1_000)
  expect(reserved.seenBy('c')).toBe(40 + 30 + 1_000)
  expect(reserved.seenBy(null)).toBe(40 + 30 + 1_000)
  reserved.add('a', -70)
  expect(reserved.seenBy('b')).toBe(30 + 30 + 1_000)
})

test('sums that are kept are those that are counted anew', () => {
  const changes = fc.array(fc.tuple(fc.constantFrom(...payers), fc.integer({ min: 0, max: 1_000 })))
  fc.assert(
    fc.property(changes, changes, fc.nat(500), (announced, ended, most) => {
      const reserved = reservedBytes()
      reserved.restart(new Map(), most)
      const sums = new Map<string | null, number>(payers.map((payer) => [payer, 0]))
      const add = (payer: string | null, bytes: number) => {
        sums.set(payer, (sums.get(payer) ?? 0) + bytes)
        reserved.add(payer, bytes)
      }
      for (const [payer, bytes] of announced) add(payer, bytes)
      for (const [payer, bytes] of ended) add(payer, -Math.min(bytes, sums.get(payer) ?? 0))
      for (const asking of payers) {
        const expected = [...sums].map(([payer, bytes]) =>
          payer === asking || payer === null ? bytes : Math.min(bytes, most),
        )
        expect(reserved.seenBy(asking)).toBe(expected.reduce((sum, bytes) => sum + bytes, 0))
      }
    }),
  )
})
