import { expect, test } from 'vitest'
import { bufferPool, smallBuffer } from './buffer-pool.ts'

const size = 2 * smallBuffer

/** Acquires buffers, and returns their sizes. */
const sizesOf = (pool: ReturnType<typeof bufferPool>, count: number, use: 'first' | 'ahead', bytes = size) =>
  Array.from({ length: count }, () => pool.acquire(bytes, use).length)

test('a large buffer is for more bytes than a small one has', () => {
  const pool = bufferPool({ size, count: 2 })
  expect(sizesOf(pool, 1, 'first', smallBuffer)).toEqual([smallBuffer])
  expect(sizesOf(pool, 1, 'first', smallBuffer + 1)).toEqual([size])
  expect(pool.available()).toBe(1)
})

test('while all large buffers are in use, there are small ones', () => {
  const pool = bufferPool({ size, count: 2 })
  expect(sizesOf(pool, 3, 'first')).toEqual([size, size, smallBuffer])
  expect(pool.available()).toBe(0)
})

test('buffers ahead take at most half of the large ones', () => {
  const pool = bufferPool({ size, count: 4 })
  expect(sizesOf(pool, 3, 'ahead')).toEqual([size, size, smallBuffer])
  expect(sizesOf(pool, 3, 'first')).toEqual([size, size, smallBuffer])
})

test('released buffers are used again', () => {
  const pool = bufferPool({ size, count: 1 })
  const [large, small] = [pool.acquire(size, 'first'), pool.acquire(1, 'first')]
  pool.release(large)
  pool.release(small)
  expect(pool.available()).toBe(1)
  expect(pool.acquire(size, 'first')).toBe(large)
  expect(pool.acquire(1, 'first')).toBe(small)
})

test('a discarded buffer is replaced by another, and is not used again', () => {
  const pool = bufferPool({ size, count: 1 })
  const [large, small] = [pool.acquire(size, 'first'), pool.acquire(1, 'first')]
  pool.discard(large)
  pool.discard(small)
  expect(pool.available()).toBe(1)
  const next = [pool.acquire(size, 'first'), pool.acquire(1, 'first')]
  expect(next.map(({ length }) => length)).toEqual([size, smallBuffer])
  expect(next).not.toContain(large)
  expect(next).not.toContain(small)
})

test('64 free small buffers are kept', () => {
  const pool = bufferPool({ size, count: 1 })
  const buffers = Array.from({ length: 70 }, () => pool.acquire(1, 'first'))
  for (const buffer of buffers) pool.release(buffer)
  const again = new Set(Array.from({ length: 70 }, () => pool.acquire(1, 'first')))
  expect(buffers.filter((buffer) => again.has(buffer))).toHaveLength(64)
})
