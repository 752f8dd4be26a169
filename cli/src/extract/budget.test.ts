import { expect, test } from 'vitest'
import { createBudget } from './budget.ts'

const GB = 1_000_000_000

test.each([
  ['a small archive may hold a gigabyte', { archive: 1000, free: Infinity, allowed: GB }],
  ['a bigger one two hundred times itself', { archive: GB, free: Infinity, allowed: 200 * GB }],
  ['none more than the disk has room for', { archive: GB, free: 5000, allowed: 5000 }],
])('%s', (_what, { archive, free, allowed }) => {
  const budget = createBudget(archive, free)
  budget.take(allowed - 1)
  budget.take(1)
  expect(() => {
    budget.take(1)
  }).toThrow(/unpacks to more than/)
})

test('a hundred thousand files are enough', () => {
  const budget = createBudget(1000, Infinity)
  for (let count = 0; count < 100_000; count += 1) budget.takeMember()
  expect(() => {
    budget.takeMember()
  }).toThrow('more than 100000 files')
})
