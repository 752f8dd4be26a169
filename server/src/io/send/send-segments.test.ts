import { setImmediate as nextIteration } from 'node:timers/promises'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { bufferPool } from './buffer-pool.ts'
import { SendAborted } from './response-writer.ts'
import { bytesOf, settled } from '../io.fixture.ts'
import { lateSink, stalledSink, stored, streamed } from './send.fixture.ts'
import { sendSegments, type Segment } from './send-segments.ts'
import { kibibyte, mebibyte } from '../../domain/sizes.ts'

const small = 64 * 1024
const buffers = bufferPool({ count: 8 })

afterEach(() => {
  expect(buffers.available()).toBe(8)
})

const sizes = fc.oneof(fc.nat(100), fc.nat(200_000), fc.nat(1_500_000))
const parts = fc.array(
  fc.record({
    kind: fc.constantFrom('bytes', 'stored', 'stream', 'endless'),
    size: sizes,
    step: fc.integer({ min: 5_000, max: 700_000 }),
  }),
  { maxLength: 6 },
)

test.each([
  ['plainly', {}],
  ['with work before the last chunk', { beforeLast: () => Promise.resolve() }],
])('all segments are sent in order, %s', async (_how, options) => {
  await fc.assert(
    fc.asyncProperty(parts, async (list) => {
      const all = list.map(({ size }, index) => bytesOf(size + index).subarray(index))
      const segments = list.map(({ kind, step }, index): Segment => {
        const bytes = all[index] ?? bytesOf(0)
        const length = bytes.length
        if (kind === 'bytes') return { bytes }
        if (kind === 'stored') return { reader: stored(bytes, step).reader, start: 0, length }
        return { source: streamed(bytes, step).source, ...(kind === 'stream' && { length }) }
      })
      const { sink, received } = lateSink()
      const progress: number[] = []
      await sendSegments(segments, sink, {
        buffers,
        ...options,
        onProgress: (flushed) => progress.push(flushed),
      })
      const expected = Buffer.concat(all)
      expect(received().equals(expected)).toBe(true)
      expect(sink.writableFinished).toBe(true)
      expect(progress.at(-1) ?? 0).toBe(expected.length)
      expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    }),
    { numRuns: 40 },
  )
})

test.each([
  small - 1,
  small,
  small + 1,
  512 * kibibyte - 1,
  512 * kibibyte,
  512 * kibibyte + 1,
  3 * mebibyte,
])('a range of %d stored bytes is sent', async (length) => {
  const bytes = bytesOf(length + 20)
  const { reader, open } = stored(bytes)
  const { sink, received } = lateSink()
  await sendSegments([{ reader, start: 10, length }], sink, { buffers })
  expect(received().equals(bytes.subarray(10, 10 + length))).toBe(true)
  expect(open()).toBe(0)
})

test('no segments make an empty body', async () => {
  const { sink } = lateSink()
  const order: string[] = []
  const beforeLast = () => {
    order.push(sink.writableEnded ? 'too late' : 'before the end')
    return Promise.resolve()
  }
  await sendSegments([], sink, { buffers, beforeLast })
  expect([order, sink.writableFinished]).toEqual([['before the end'], true])
})

test('many small segments are sent in few chunks', async () => {
  const segments = Array.from({ length: 500 }, () => ({
    reader: stored(bytesOf(100)).reader,
    start: 0,
    length: 100,
  }))
  let chunks = 0
  const sink = new Writable({
    write(_chunk, _encoding, done) {
      chunks += 1
      done()
    },
  })
  await sendSegments(segments, sink, { buffers })
  expect(chunks).toBe(1)
})

test('a stream forwards received bytes at once', async () => {
  const more = Promise.withResolvers<undefined>()
  async function* live() {
    yield bytesOf(10)
    await more.promise
    yield bytesOf(20)
  }
  const { sink, received } = lateSink()
  const sent = sendSegments([{ bytes: bytesOf(5) }, { source: () => Promise.resolve(live()) }], sink, {
    buffers,
  })
  for (let iteration = 0; iteration < 5; iteration += 1) await nextIteration()
  expect(received()).toHaveLength(15)
  more.resolve(undefined)
  await sent
  expect(received()).toHaveLength(35)
})

test('a stalled client holds at most two buffers, and a few clients do not hold all of them', async () => {
  const abort = new AbortController()
  const bytes = bytesOf(4 * mebibyte)
  const begin = () => {
    const { sink } = stalledSink()
    return settled(
      sendSegments([{ reader: stored(bytes).reader, start: 0, length: bytes.length }], sink, {
        buffers,
        signal: abort.signal,
      }),
    )
  }
  const first = begin()
  await nextIteration()
  expect(buffers.available()).toBe(6)
  const others = Array.from({ length: 4 }, begin)
  await nextIteration()
  expect(buffers.available()).toBeGreaterThan(0)
  abort.abort()
  for (const end of await Promise.all([first, ...others])) expect(end).toBeInstanceOf(SendAborted)
})

describe('before the last chunk', () => {
  test.each([1, small, small + 1, mebibyte, 5 * mebibyte])(
    'of %d bytes, which is small, all others are flushed',
    async (size) => {
      const bytes = bytesOf(size)
      const { sink, received } = lateSink()
      let before = -1
      const beforeLast = () => {
        before = received().length
        return Promise.resolve()
      }
      await sendSegments([{ reader: stored(bytes).reader, start: 0, length: size }], sink, {
        buffers,
        beforeLast,
      })
      expect(before).toBeLessThan(size)
      expect(size - before).toBeLessThanOrEqual(small)
      expect(received().equals(bytes)).toBe(true)
    },
  )

  test('a rejection cuts the connection', async () => {
    const failure = new Error('lost')
    const { sink, received } = lateSink()
    const sent = sendSegments([{ bytes: bytesOf(100_000) }], sink, {
      buffers,
      beforeLast: () => Promise.reject(failure),
    })
    expect(await settled(sent)).toBe(failure)
    expect([received().length, sink.destroyed, sink.writableEnded]).toEqual([small, true, false])
  })

  test('each chunk is small, or at most a sixteenth of the bytes before it', async () => {
    const chunks: number[] = []
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk.length)
        done()
      },
    })
    const size = 12 * mebibyte
    const beforeLast = () => Promise.resolve()
    await sendSegments([{ reader: stored(bytesOf(size)).reader, start: 0, length: size }], sink, {
      buffers,
      beforeLast,
    })
    let before = 0
    for (const chunk of chunks) {
      expect(chunk).toBeLessThanOrEqual(Math.max(small, before / 16))
      before += chunk
    }
    expect(Math.max(...chunks)).toBe(512 * kibibyte)
  })
})
