import { expect, test } from 'vitest'
import { batchSize, readInBatches } from './read-in-batches.ts'

test('batches have about 16 KiB of text, between one row and the maximum', async () => {
  const reads: readonly (readonly [lengths: readonly number[], next: number])[] = [
    [[1_024, 3_072], 8],
    [[], 8],
    [[165, 166], 98],
    [[0, 0], 100],
    [[100_000], 1],
    [[16_384], 1],
    [[8_192], 2],
    [[], 2],
  ]
  const left = [...reads]
  const sizes: number[] = []
  const keys = Array.from({ length: 8 + 8 + 8 + 98 + 100 + 1 + 1 + 2 }, (_, key) => key)
  const read: number[] = []
  const batches = readInBatches(keys, {
    first: 8,
    max: 100,
    read: (batch) => {
      sizes.push(batch.length)
      read.push(...batch)
      return Promise.resolve(left.shift()?.[0] ?? [])
    },
    lengthOf: (length) => length,
  })
  expect(await Array.fromAsync(batches)).toEqual(reads.map(([lengths]) => lengths))
  expect(sizes).toEqual([8, ...reads.slice(0, -1).map(([, next]) => next)])
  expect(read).toEqual(keys)
})

test('the last batch has the keys that are left, and no keys need no batch', async () => {
  const read = (keys: readonly number[]) => Promise.resolve(keys)
  const all = (keys: readonly number[]) =>
    Array.fromAsync(readInBatches(keys, { first: 2, max: 3, read, lengthOf: () => 1 }))
  expect(await all([1, 2, 3, 4, 5, 6])).toEqual([[1, 2], [3, 4, 5], [6]])
  expect(await all([])).toEqual([])
})

test('a batch of rows like given ones has about 16 KiB of text', () => {
  expect([batchSize([165, 166], 100), batchSize([0], 100), batchSize([100_000], 100)]).toEqual([98, 100, 1])
})
