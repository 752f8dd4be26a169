import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reservedBytes } from './reserved-bytes.ts'

const payers = [null, 'network 192.0.2.1', 'network 192.0.2.2', 'account local:ada']

test('a payer finds all that it announced, and of each other at most a part', () => {
  const reserved = reservedBytes()
  reserved.restart(new Map([['a', 100]]), { byOne: 40, byAll: 1_000 })
  reserved.add('b', 30)
  reserved.add(null, 1_000)
  expect(reserved.seenBy('a')).toBe(100 + 30 + 1_000)
  expect(reserved.seenBy('b')).toBe(40 + 30 + 1_000)
  expect(reserved.seenBy('c')).toBe(40 + 30 + 1_000)
  expect(reserved.seenBy(null)).toBe(40 + 30 + 1_000)
  reserved.add('a', -70)
  expect(reserved.seenBy('b')).toBe(30 + 30 + 1_000)
})

test('all others together withhold at most a part, besides exempt payers', () => {
  const reserved = reservedBytes()
  reserved.restart(new Map([['a', 100]]), { byOne: 40, byAll: 60 })
  reserved.add('b', 30)
  reserved.add(null, 1_000)
  expect(reserved.seenBy('c')).toBe(60 + 1_000)
  expect(reserved.seenBy('b')).toBe(40 + 30 + 1_000)
  reserved.add('a', -80)
  expect(reserved.seenBy('c')).toBe(20 + 30 + 1_000)
})

test('sums that are kept are those that are counted anew', () => {
  const changes = fc.array(fc.tuple(fc.constantFrom(...payers), fc.integer({ min: 0, max: 1_000 })))
  fc.assert(
    fc.property(changes, changes, fc.nat(500), fc.nat(1_000), (announced, ended, byOne, byAll) => {
      const reserved = reservedBytes()
      reserved.restart(new Map(), { byOne, byAll })
      const sums = new Map<string | null, number>(payers.map((payer) => [payer, 0]))
      const add = (payer: string | null, bytes: number) => {
        sums.set(payer, (sums.get(payer) ?? 0) + bytes)
        reserved.add(payer, bytes)
      }
      for (const [payer, bytes] of announced) add(payer, bytes)
      for (const [payer, bytes] of ended) add(payer, -Math.min(bytes, sums.get(payer) ?? 0))
      for (const asking of payers) {
        const others = [...sums].filter(([payer]) => payer !== asking && payer !== null)
        const withheld = others.reduce((sum, [, bytes]) => sum + Math.min(bytes, byOne), 0)
        const exempt = asking === null ? 0 : (sums.get(null) ?? 0)
        expect(reserved.seenBy(asking)).toBe((sums.get(asking) ?? 0) + exempt + Math.min(withheld, byAll))
      }
    }),
  )
})
