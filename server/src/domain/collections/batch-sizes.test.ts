import { expect, test } from 'vitest'
import { batchSizes } from './batch-sizes.ts'

test('batches have about 16 KiB of text, between one row and the maximum', () => {
  const sizes = batchSizes({ first: 8, max: 100 })
  expect(sizes.next()).toBe(8)
  for (const [lengths, size] of [
    [[1_024, 3_072], 8],
    [[], 8],
    [[165, 166], 98],
    [[0, 0], 100],
    [[100_000], 1],
    [[16_384], 1],
    [[8_192], 2],
  ] as const) {
    sizes.adapt(lengths)
    expect([lengths, sizes.next()]).toEqual([lengths, size])
  }
})
