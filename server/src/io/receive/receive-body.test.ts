import { setImmediate as nextIteration } from 'node:timers/promises'
import { getEventListeners } from 'node:events'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { bytesOf, settled } from '../io.fixture.ts'
import { kibibyte, mebibyte } from '../../domain/sizes.ts'
import {
  chunksOf,
  hashers,
  compare,
  never,
  plain,
  readAll,
  allEqual,
  streamOf,
  receiveFrom,
} from './receive-body.fixture.ts'
import { receiveBody } from './receive-body.ts'

afterEach(() => {
  expect(hashers.blocks.available()).toBe(4)
  expect(getEventListeners(never, 'abort')).toEqual([])
})
afterAll(() => hashers.close())

const boundaries = [
  4_100,
  64 * kibibyte,
  128 * kibibyte,
  128 * kibibyte + mebibyte,
  128 * kibibyte + 3 * mebibyte,
].flatMap((size) => [size - 1, size, size + 1])

test.each([0, 1, ...boundaries])('%d bytes are received, counted and hashed', async (size) => {
  const bytes = bytesOf(size)
  expect(await compare(receiveBody(streamOf(bytes, 64 * kibibyte), plain), bytes)).toEqual(allEqual(bytes))
})

test('bytes are received in chunks of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 400_000 })), {
        maxLength: 12,
      }),
      async (lengths) => {
        const bytes = bytesOf(lengths.reduce((sum, length) => sum + length, 0))
        let offset = 0
        const chunks = lengths.map((length) => Buffer.from(bytes.subarray(offset, (offset += length))))
        const source = Readable.from(chunks, { objectMode: false })
        expect(await compare(receiveBody(source, plain), bytes)).toEqual(allEqual(bytes))
      },
    ),
    { numRuns: 60 },
  )
})

test('the memory of a chunk is released after copying, unless the chunk is only a part of it', async () => {
  const chunks = [100_000, 200_000].map(bytesOf)
  const all = bytesOf(300_000)
  const part = all.subarray(1)
  const source = Readable.from([...chunks, part], { objectMode: false })
  const expected = Buffer.concat([...chunks, part])
  expect(await compare(receiveBody(source, plain), expected)).toEqual(allEqual(expected))
  expect(chunks.map(({ length }) => length)).toEqual([0, 0])
  expect(all.equals(bytesOf(300_000))).toBe(true)
})

test('bytes are received one at a time', async () => {
  const bytes = bytesOf(10_000)
  expect(await compare(receiveBody(streamOf(bytes, 1), plain), bytes)).toEqual(allEqual(bytes))
})

test('one chunk can be larger than all blocks of a body', async () => {
  const bytes = bytesOf(9 * mebibyte)
  expect(await compare(receiveBody(streamOf(bytes, bytes.length), plain), bytes)).toEqual(allEqual(bytes))
})

test('many bodies share few blocks', async () => {
  const bodies = Array.from({ length: 12 }, (_, index) => bytesOf(2 * mebibyte + index * 100_000))
  const results = await Promise.all(
    bodies.map((bytes) => compare(receiveBody(streamOf(bytes, 64 * kibibyte), plain), bytes)),
  )
  expect(results).toEqual(bodies.map(allEqual))
})

test('bodies that hold all blocks do not stop another', async () => {
  const stalled = Array.from({ length: 3 }, () => receiveFrom())
  for (const { source } of stalled) source.write(bytesOf(3 * mebibyte))
  await Promise.all(stalled.map(({ received }) => received.head))
  expect(hashers.blocks.available()).toBe(0)
  const bytes = bytesOf(5 * mebibyte)
  expect(await compare(receiveBody(streamOf(bytes, 64 * kibibyte), plain), bytes)).toEqual(allEqual(bytes))
  for (const { received } of stalled) received.cancel()
})

test('a source is paused while nothing reads', async () => {
  const { source, received } = receiveFrom()
  for (const chunk of chunksOf(bytesOf(8 * mebibyte), 64 * kibibyte)) source.write(chunk)
  await received.head
  await nextIteration()
  expect(source.isPaused()).toBe(true)
  expect(source.readableLength).toBeGreaterThan(4 * mebibyte)
  source.end()
  expect(await readAll(received.blocks)).toHaveLength(8 * mebibyte)
  await received.digests()
})

test('small bodies need no thread', async () => {
  const without = { ...hashers, open: () => expect.fail('a thread was started') }
  const bytes = bytesOf(128 * kibibyte - 1)
  expect(await compare(receiveBody(streamOf(bytes, 50_000), { ...plain, hashers: without }), bytes)).toEqual(
    allEqual(bytes),
  )
})

describe('a limit', () => {
  test.each([0, 10, 300_000])('of %d bytes allows this many bytes', async (maxSize) => {
    const bytes = bytesOf(maxSize)
    expect(await compare(receiveBody(streamOf(bytes, 7_000), { ...plain, maxSize }), bytes)).toEqual(
      allEqual(bytes),
    )
  })

  test.each([0, 10, 300_000])(
    'of %d bytes rejects the next byte without waiting for the end',
    async (maxSize) => {
      const error = new Error('too big')
      const { source, received } = receiveFrom({ maxSize, tooBig: () => error })
      source.write(bytesOf(maxSize))
      source.write('!')
      expect(await settled(readAll(received.blocks))).toBe(error)
      expect(await settled(received.digests())).toBe(error)
      source.destroy()
    },
  )
})

test('an abort after the last block changes nothing', async () => {
  const abort = new AbortController()
  const bytes = bytesOf(2 * mebibyte)
  const received = receiveBody(streamOf(bytes, 64 * kibibyte), { ...plain, signal: abort.signal })
  await readAll(received.blocks)
  abort.abort()
  expect(await received.digests()).toEqual(allEqual(bytes).digests)
})
