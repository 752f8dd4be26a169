import fc from 'fast-check'
import { expect, test } from 'vitest'
import { barsPath, dayAt, scaleFor } from './scale.ts'

test.for([
  [0, 1, []],
  [1, 1, [1]],
  [3, 3, [1, 2, 3]],
  [4, 4, [1, 2, 3, 4]],
  [5, 6, [2, 4, 6]],
  [9, 10, [5, 10]],
  [41, 60, [20, 40, 60]],
  [80, 80, [20, 40, 60, 80]],
  [81, 100, [50, 100]],
  [1_234_567, 1_500_000, [500_000, 1_000_000, 1_500_000]],
] as const)('a chart up to %d ends at %d', ([largest, top, ticks]) => {
  expect(scaleFor(largest)).toEqual({ top, ticks })
})

test('a scale has one to four lines in equal steps, and includes its largest value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (largest) => {
      const { top, ticks } = scaleFor(largest)
      const [step = 0] = ticks
      expect(ticks.length).toBeGreaterThanOrEqual(1)
      expect(ticks.length).toBeLessThanOrEqual(4)
      expect(top).toBe(ticks.at(-1))
      expect(top).toBeGreaterThanOrEqual(largest)
      expect(top - step).toBeLessThan(largest)
      expect(/^[125]0*$/.test(BigInt(step).toString())).toBe(true)
    }),
  )
})

test('each day with a value has a bar at its position, and no other day has one', () => {
  expect(barsPath([0, 5, 10], 10, 0)).toBe('M1 1v-0.5h1V1zM2 1v-1h1V1z')
  expect(barsPath([10], 10, 0.5)).toBe('M0.25 1v-1h0.5V1z')
})

test('a day with a very small value is visible', () => {
  expect(barsPath([1], 1_000_000, 0)).toBe('M0 1v-0.015h1V1z')
})

test('a point belongs to one day, and one beyond the edges to the nearest', () => {
  expect([-0.1, 0, 0.249, 0.25, 0.999, 1, 2].map((along) => dayAt(along, 4))).toEqual([0, 0, 0, 1, 3, 3, 3])
})
