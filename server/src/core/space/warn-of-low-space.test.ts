import { expect, test } from 'vitest'
import { warnOfLowSpace } from './warn-of-low-space.ts'

async function warningsWith(freeSpace?: () => Promise<number>) {
  const warnings: unknown[][] = []
  const log = { warn: (...line: unknown[]) => void warnings.push(line) }
  await warnOfLowSpace({ config: { minFreeSpace: 1e9 }, data: freeSpace ? { freeSpace } : {}, log })
  return warnings
}

test('less free space than the reserve is logged with a solution', async () => {
  expect(await warningsWith(() => Promise.resolve(999_999_999))).toEqual([
    [
      { free: 999_999_999, minFreeSpace: 1e9 },
      'uploads are refused, as less space is free than MinFreeSpaceStr: free some space, or set a smaller value',
    ],
  ])
})

test.each<[name: string, freeSpace?: () => Promise<number>]>([
  ['as much free space as the reserve', () => Promise.resolve(1e9)],
  ['a store without a known limit'],
  ['an unreachable store', () => Promise.reject(new Error('unreachable'))],
])('%s is not logged', async (_name, freeSpace) => {
  expect(await warningsWith(freeSpace)).toEqual([])
})
