import { expect, test } from 'vitest'
import { createExtractionLimit } from './extraction-limit.ts'

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
  const limit = createExtractionLimit(archive, free)
  limit.addBytes(allowed - 1)
  limit.addBytes(1)
  expect(() => {
    limit.addBytes(1)
  }).toThrow(/unpacks to more than/)
})

test('an archive may hold a hundred thousand files and no more', () => {
  const limit = createExtractionLimit(1000, Infinity)
  for (let count = 0; count < 100_000; count += 1) limit.addMember()
  expect(() => {
    limit.addMember()
  }).toThrow('more than 100000 files')
})
