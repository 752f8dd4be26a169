import { expect, test } from 'vitest'
import { createBudget } from './budget.ts'

const GB = 1_000_000_000

test.each([
  ['a small archive may unpack to a gigabyte', { archive: 1000, free: Infinity, allowed: GB }],
  [
    'a larger archive may unpack to two hundred times its size',
    { archive: GB, free: Infinity, allowed: 200 * GB },
  ],
  [
    'no archive may unpack to more than the free space of the disk',
    { archive: GB, free: 5000, allowed: 5000 },
  ],
])('%s', (_case, { archive, free, allowed }) => {
  const budget = createBudget(archive, free)
  budget.take(allowed - 1)
  budget.take(1)
  expect(() => {
    budget.take(1)
  }).toThrow(/unpacks to more than/)
})

test('an archive may hold a hundred thousand files and no more', () => {
  const budget = createBudget(1000, Infinity)
  for (let count = 0; count < 100_000; count += 1) budget.takeMember()
  expect(() => {
    budget.takeMember()
  }).toThrow('more than 100000 files')
})
