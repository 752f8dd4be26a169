import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kindOf, limitOf, unitFor, unitsOf, type Measure } from './limit-value.ts'

const [mega, giga] = unitsOf('size')
if (!mega || !giga) throw new Error('no units')

test('0 is the server’s limit, and a negative value is unlimited', () => {
  expect([kindOf(0), kindOf(-1), kindOf(1)]).toEqual(['server', 'unlimited', 'own'])
  expect([limitOf('server', 7, giga), limitOf('unlimited', 7, giga), limitOf('own', 7, giga)]).toEqual([
    0, -1, 7_000_000_000,
  ])
})

test.for([
  [1, 'size', 'MB'],
  [999_999_999, 'size', 'MB'],
  [1_000_000_000, 'size', 'GB'],
  [5e12, 'size', 'TB'],
  [60, 'time', 'hours'],
  [86_399, 'time', 'hours'],
  [86_400, 'time', 'days'],
] as const)('%d of %s is shown in %s', ([limit, measure, name]) => {
  expect(unitFor(limit, measure).name).toBe(name)
})

test.for([[0], [-1], [Number.NaN], [Number.POSITIVE_INFINITY], [1e-10], [1e10]] as const)(
  '%d GB is not a limit that can be set',
  ([count]) => {
    expect(limitOf('own', count, giga)).toBe(undefined)
  },
)

test('a fraction of a unit is rounded to whole bytes', () => {
  expect(limitOf('own', 1.5, mega)).toBe(1_500_000)
  expect(limitOf('own', 0.000_000_6, mega)).toBe(1)
})

test('an unchanged limit is sent as it was', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9e14 }),
      fc.constantFrom<Measure>('size', 'time'),
      (limit, measure) => {
        const unit = unitFor(limit, measure)
        expect(limitOf('own', limit / unit.factor, unit)).toBe(limit)
      },
    ),
  )
})
