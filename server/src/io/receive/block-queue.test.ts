import { expect, test } from 'vitest'
import type { BodyDigest } from '../hash/body-digest.ts'
import { boundedBufferPool } from '../bounded-buffer-pool.ts'
import { bytesOf } from '../io.fixture.ts'
import { sharedBytes } from '../shared-bytes.ts'
import { blockQueue, firstBlockSize } from './block-queue.ts'
import { kibibyte } from '../../domain/sizes.ts'

const pooledSize = 4 * kibibyte
const poolCount = 5

/** A queue whose digest uses each block until `hashOne`. The digest is the number of bytes. */
function newQueue() {
  const pool = boundedBufferPool({ size: pooledSize, count: poolCount, allocate: sharedBytes })
  const events: string[] = []
  const hashing: (() => void)[] = []
  const sum: BodyDigest<number> = {
    digestSmall: ({ length }) => length,
    open() {
      let size = 0
      return {
        update({ length }, read) {
          size += length
          hashing.push(read)
        },
        digest: () => Promise.resolve(size),
        drop: () => undefined,
      }
    },
  }
  const queue = blockQueue({
    pool,
    sum,
    onBlock: () => events.push('block'),
    onDrain: () => events.push('drain'),
    onLast: () => events.push('last'),
    onFailure: () => events.push('failure'),
  })
  /** The sizes of all blocks that are full. */
  const readAll = () => {
    const sizes: number[] = []
    for (let block = queue.next(); block !== undefined; block = queue.next()) sizes.push(block.length)
    return sizes
  }
  return { queue, pool, events, readAll, hashOne: () => hashing.shift()?.() }
}

test.each([
  [64 * kibibyte, true],
  [64 * kibibyte + 1, false],
])('a body of one chunk of %i bytes is passed on without a copy: %s', async (size, isKept) => {
  const { queue } = newQueue()
  const bytes = bytesOf(size)
  const chunk = Buffer.from(bytes)
  const memory = chunk.buffer
  expect(queue.put(chunk)).toBe(true)
  expect(await queue.finish()).toBe(size)
  const block = queue.next()
  expect([block?.buffer === memory, bytes.equals(block ?? new Uint8Array())]).toEqual([isKept, true])
  expect(queue.next()).toBeUndefined()
})

test('several small chunks become one block', async () => {
  const { queue } = newQueue()
  const bytes = bytesOf(3_000)
  for (let start = 0; start < bytes.length; start += 1_000)
    expect(queue.put(Buffer.from(bytes.subarray(start, start + 1_000)))).toBe(true)
  expect(await queue.finish()).toBe(3_000)
  expect(bytes.equals(queue.next() ?? new Uint8Array())).toBe(true)
  expect(queue.next()).toBeUndefined()
})

test('an empty body has no block', async () => {
  const { queue, events } = newQueue()
  expect(await queue.finish()).toBe(0)
  expect(queue.next()).toBeUndefined()
  expect(events).toEqual(['last'])
})

test('a body uses at most three blocks, and continues when one is free', () => {
  const { queue, pool, events, readAll, hashOne } = newQueue()
  expect(queue.put(bytesOf(firstBlockSize + 3 * pooledSize))).toBe(false)
  expect(pool.available()).toBe(poolCount - 2)
  expect(readAll()).toEqual([firstBlockSize, pooledSize, pooledSize])
  expect(events).toEqual(['block', 'block', 'block'])
  hashOne()
  expect(events).toEqual(['block', 'block', 'block', 'block', 'drain'])
  expect(readAll()).toEqual([pooledSize])
  for (let block = 0; block < 3; block += 1) hashOne()
  expect(pool.available()).toBe(poolCount)
})

test.each([
  ['a kept chunk', [1_000]],
  ['an incomplete first block', [1_000, 2_000]],
  ['an incomplete block of the pool', [firstBlockSize, 1_000]],
])('a flush passes on %s, and an empty block', async (_what, lengths) => {
  const { queue, pool, events, readAll, hashOne } = newQueue()
  for (const length of lengths) expect(queue.put(bytesOf(length))).toBe(true)
  const blocksBefore = events.length
  expect(queue.flush()).toBe(true)
  expect(events.slice(blocksBefore)).toEqual(['block', 'block'])
  const flushed = lengths[0] === firstBlockSize ? lengths : [lengths.reduce((sum, length) => sum + length)]
  expect(readAll()).toEqual([...flushed, 0])
  for (let hashed = 0; hashed < flushed.length; hashed += 1) hashOne()
  expect(pool.available()).toBe(poolCount)
  expect(queue.put(bytesOf(500))).toBe(true)
  const digest = queue.finish()
  expect(readAll()).toEqual([500])
  expect(await digest).toBe(lengths.reduce((sum, length) => sum + length, 500))
})

test('a flush without new bytes passes on an empty block only', () => {
  const { queue, pool, events, readAll } = newQueue()
  expect(queue.flush()).toBe(true)
  expect(events).toEqual(['block'])
  expect(readAll()).toEqual([0])
  expect(pool.available()).toBe(poolCount)
})

test('a flush does nothing while no block is free, and after the end', async () => {
  const full = newQueue()
  full.queue.put(bytesOf(firstBlockSize + 3 * pooledSize))
  expect(full.queue.flush()).toBe(false)
  expect(full.readAll()).toEqual([firstBlockSize, pooledSize, pooledSize])

  const ended = newQueue()
  ended.queue.put(bytesOf(1_000))
  await ended.queue.finish()
  expect(ended.queue.flush()).toBe(false)
  expect(ended.readAll()).toEqual([1_000])
})
