import { getEventListeners } from 'node:events'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  bytesOf,
  chunksOf,
  hashers,
  judge,
  kibibyte,
  mebibyte,
  never,
  nextTurn,
  plain,
  readAll,
  right,
  settled,
  streamOf,
  takeFrom,
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

test.each([0, 1, ...boundaries])('%d bytes come through, and are counted and hashed', async (size) => {
  const bytes = bytesOf(size)
  expect(await judge(receiveBody(streamOf(bytes, 64 * kibibyte), plain), bytes)).toEqual(right(bytes))
})

test('bytes come through however they are cut', async () => {
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
        expect(await judge(receiveBody(source, plain), bytes)).toEqual(right(bytes))
      },
    ),
    { numRuns: 60 },
  )
})

test('the memory of a chunk is let go of as soon as it is copied, unless the chunk is only a part of it', async () => {
  const chunks = [100_000, 200_000].map(bytesOf)
  const all = bytesOf(300_000)
  const part = all.subarray(1)
  const source = Readable.from([...chunks, part], { objectMode: false })
  const expected = Buffer.concat([...chunks, part])
  expect(await judge(receiveBody(source, plain), expected)).toEqual(right(expected))
  expect(chunks.map(({ length }) => length)).toEqual([0, 0])
  expect(all.equals(bytesOf(300_000))).toBe(true)
})

test('bytes come through one at a time', async () => {
  const bytes = bytesOf(10_000)
  expect(await judge(receiveBody(streamOf(bytes, 1), plain), bytes)).toEqual(right(bytes))
})

test('one chunk may be larger than all memory of a body', async () => {
  const bytes = bytesOf(9 * mebibyte)
  expect(await judge(receiveBody(streamOf(bytes, bytes.length), plain), bytes)).toEqual(right(bytes))
})

test('many bodies share few blocks', async () => {
  const bodies = Array.from({ length: 12 }, (_, index) => bytesOf(2 * mebibyte + index * 100_000))
  const judged = await Promise.all(
    bodies.map((bytes) => judge(receiveBody(streamOf(bytes, 64 * kibibyte), plain), bytes)),
  )
  expect(judged).toEqual(bodies.map(right))
})

test('bodies that hold all blocks do not stop another', async () => {
  const stalled = Array.from({ length: 3 }, () => takeFrom())
  for (const { source } of stalled) source.write(bytesOf(3 * mebibyte))
  await Promise.all(stalled.map(({ intake }) => intake.head))
  expect(hashers.blocks.available()).toBe(0)
  const bytes = bytesOf(5 * mebibyte)
  expect(await judge(receiveBody(streamOf(bytes, 64 * kibibyte), plain), bytes)).toEqual(right(bytes))
  for (const { intake } of stalled) intake.abandon()
})

test('a source is held back while nobody reads', async () => {
  const { source, intake } = takeFrom()
  for (const chunk of chunksOf(bytesOf(8 * mebibyte), 64 * kibibyte)) source.write(chunk)
  await intake.head
  await nextTurn()
  expect(source.isPaused()).toBe(true)
  expect(source.readableLength).toBeGreaterThan(4 * mebibyte)
  source.end()
  expect(await readAll(intake.blocks)).toHaveLength(8 * mebibyte)
  await intake.digests()
})

test('small bodies need no thread', async () => {
  const without = { ...hashers, open: () => expect.fail('a thread was asked for') }
  const bytes = bytesOf(128 * kibibyte - 1)
  expect(await judge(receiveBody(streamOf(bytes, 50_000), { ...plain, hashers: without }), bytes)).toEqual(
    right(bytes),
  )
})

describe('a limit', () => {
  test.each([0, 10, 300_000])('of %d bytes lets so many in', async (maxSize) => {
    const bytes = bytesOf(maxSize)
    expect(await judge(receiveBody(streamOf(bytes, 7_000), { ...plain, maxSize }), bytes)).toEqual(
      right(bytes),
    )
  })

  test.each([0, 10, 300_000])(
    'of %d bytes refuses the first byte more, without waiting for the end',
    async (maxSize) => {
      const refusal = new Error('too big')
      const { source, intake } = takeFrom({ maxSize, tooBig: () => refusal })
      source.write(bytesOf(maxSize))
      source.write('!')
      expect(await settled(readAll(intake.blocks))).toBe(refusal)
      expect(await settled(intake.digests())).toBe(refusal)
      source.destroy()
    },
  )
})

test('an abort after the last block changes nothing', async () => {
  const abort = new AbortController()
  const bytes = bytesOf(2 * mebibyte)
  const intake = receiveBody(streamOf(bytes, 64 * kibibyte), { ...plain, signal: abort.signal })
  await readAll(intake.blocks)
  abort.abort()
  expect(await intake.digests()).toEqual(right(bytes).digests)
})
