import fc from 'fast-check'
import { expect, test } from 'vitest'
import { announcedSums } from './announced-sums.ts'

const keys = [null, 'network 192.0.2.1', 'network 192.0.2.2', 'account local:ada']

test('all announcements with a budget key count in full for it, and at most a part of those with each other', () => {
  const announced = announcedSums()
  announced.restart(new Map([['a', 100]]), 40)
  announced.add('b', 30)
  announced.add(null, 1_000)
  expect(announced.unavailableTo('a')).toBe(100 + 30 + 1_000)
  expect(announced.unavailableTo('b')).toBe(40 + 30 + 1_000)
  expect(announced.unavailableTo('c')).toBe(40 + 30 + 1_000)
  expect(announced.unavailableTo(null)).toBe(40 + 30 + 1_000)
  announced.add('a', -70)
  expect(announced.unavailableTo('b')).toBe(30 + 30 + 1_000)
})

test('sums that are kept are those that are counted anew', () => {
  const changes = fc.array(fc.tuple(fc.constantFrom(...keys), fc.integer({ min: 0, max: 1_000 })))
  fc.assert(
    fc.property(changes, changes, fc.nat(500), (announced, ended, most) => {
      const kept = announcedSums()
      kept.restart(new Map(), most)
      const sums = new Map<string | null, number>(keys.map((key) => [key, 0]))
      const add = (key: string | null, bytes: number) => {
        sums.set(key, (sums.get(key) ?? 0) + bytes)
        kept.add(key, bytes)
      }
      for (const [key, bytes] of announced) add(key, bytes)
      for (const [key, bytes] of ended) add(key, -Math.min(bytes, sums.get(key) ?? 0))
      for (const asking of keys) {
        const expected = [...sums].map(([key, bytes]) =>
          key === asking || key === null ? bytes : Math.min(bytes, most),
        )
        expect(kept.unavailableTo(asking)).toBe(expected.reduce((sum, bytes) => sum + bytes, 0))
      }
    }),
  )
})
