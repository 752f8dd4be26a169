import { expect, test } from 'vitest'
import { partMemory } from './part-memory.ts'
import { gibibyte } from '../../domain/sizes.ts'

test.each([
  { limit: 0, total: 4 * gibibyte, workers: 1, expected: gibibyte },
  { limit: gibibyte / 2, total: 4 * gibibyte, workers: 1, expected: gibibyte / 8 },
  { limit: gibibyte / 2, total: 4 * gibibyte, workers: 4, expected: gibibyte / 32 },
  // What Linux reports of a cgroup without a limit.
  { limit: 2 ** 64, total: 4 * gibibyte, workers: 1, expected: gibibyte },
  { limit: 2 ** 63 - 4096, total: 4 * gibibyte, workers: 2, expected: gibibyte / 2 },
])(
  '$workers processes get $expected bytes each of a limit of $limit and a machine of $total',
  ({ workers, limit, total, expected }) => {
    expect(partMemory(workers, limit, total)).toBe(expected)
  },
)

test('the memory of this process is known', () => {
  expect(partMemory()).toBeGreaterThan(0)
})
