import { Writable } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { bufferPool } from './buffer-pool.ts'
import { SendAborted } from './outlet.ts'
import { sendSegments, WrongLengthError, type Segment } from './send-segments.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const small = 64 * kibibyte
const buffers = bufferPool({ big: 8 })

afterEach(() => {
  expect(buffers.available()).toBe(8)
})

const bytesOf = (size: number) => Buffer.alloc(size, 'some bytes that repeat after a prime number of them!')
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => 'fine',
    (error: unknown) => error,
  )

/** A connection that looks at what it was given only when it has "sent" it, as a socket does. */
function lateSink() {
  const received: Buffer[] = []
  const sink = new Writable({
    highWaterMark: 16 * kibibyte,
    write(chunk: Buffer, _encoding, done) {
      setImmediate(() => {
        received.push(Buffer.from(chunk))
        done()
      })
    },
  })
  return { sink, received: () => Buffer.concat(received) }
}

/** A connection whose client takes nothing until it is told to. */
function stalledSink() {
  const waiting: (() => void)[] = []
  let received = 0
  const sink = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      waiting.push(() => {
        received += chunk.length
        done()
      })
    },
  })
  return { sink, received: () => received, takeOne: () => waiting.shift()?.() }
}

/** Stored bytes, read in steps of at most so many. */
function stored(bytes: Buffer, step = Infinity) {
  let open = 0
  const reader = () => {
    open += 1
    return Promise.resolve({
      read(into: Uint8Array, position: number) {
        const part = bytes.subarray(position, position + Math.min(into.length, step))
        into.set(part)
        return Promise.resolve(part.length)
      },
      close() {
        open -= 1
        return Promise.resolve()
      },
    })
  }
  return { reader, open: () => open }
}

/** A stream whose chunks share one piece of memory. */
function streamed(bytes: Buffer, step: number) {
  let running = false
  // eslint-disable-next-line @typescript-eslint/require-await
  async function* chunks() {
    const memory = Buffer.alloc(step)
    running = true
    try {
      for (let offset = 0; offset < bytes.length; offset += step) {
        const count = bytes.copy(memory, 0, offset, offset + step)
        yield memory.subarray(0, count)
        memory.fill(0)
      }
    } finally {
      running = false
    }
  }
  return { source: () => Promise.resolve(chunks()), running: () => running }
}

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
  ['with something to do before the last piece', { beforeLast: () => Promise.resolve() }],
])('all segments go out in their order, %s', async (_how, options) => {
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
])('a part of %d stored bytes goes out', async (length) => {
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

test('many small segments go out in few pieces', async () => {
  const segments = Array.from({ length: 500 }, () => ({
    reader: stored(bytesOf(100)).reader,
    start: 0,
    length: 100,
  }))
  let pieces = 0
  const sink = new Writable({
    write(_chunk, _encoding, done) {
      pieces += 1
      done()
    },
  })
  await sendSegments(segments, sink, { buffers })
  expect(pieces).toBe(1)
})

test('a stream does not keep what has come', async () => {
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
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  expect(received()).toHaveLength(15)
  more.resolve(undefined)
  await sent
  expect(received()).toHaveLength(35)
})

test('a client that reads nothing holds at most two buffers, and few hold not all of them', async () => {
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
  await nextTurn()
  expect(buffers.available()).toBe(6)
  const others = Array.from({ length: 4 }, begin)
  await nextTurn()
  expect(buffers.available()).toBeGreaterThan(0)
  abort.abort()
  for (const end of await Promise.all([first, ...others])) expect(end).toBeInstanceOf(SendAborted)
})

describe('before the last piece', () => {
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

  test('a refusal cuts the connection', async () => {
    const refusal = new Error('lost')
    const { sink, received } = lateSink()
    const sent = sendSegments([{ bytes: bytesOf(100_000) }], sink, {
      buffers,
      beforeLast: () => Promise.reject(refusal),
    })
    expect(await settled(sent)).toBe(refusal)
    expect([received().length, sink.destroyed, sink.writableEnded]).toEqual([small, true, false])
  })

  test('no piece is more than a sixteenth of what went before, or small', async () => {
    const pieces: number[] = []
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        pieces.push(chunk.length)
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
    for (const piece of pieces) {
      expect(piece).toBeLessThanOrEqual(Math.max(small, before / 16))
      before += piece
    }
    expect(Math.max(...pieces)).toBe(512 * kibibyte)
  })
})

describe('a body that cannot be completed is cut, not ended', () => {
  const failure = new Error('the disk broke')
  const cases: readonly [string, () => Segment, unknown][] = [
    [
      'a stored segment that is too short',
      () => ({ reader: stored(bytesOf(99)).reader, start: 0, length: 100 }),
      WrongLengthError,
    ],
    [
      'a stream that is too short',
      () => ({ source: streamed(bytesOf(99), 10).source, length: 100 }),
      WrongLengthError,
    ],
    [
      'a stream that is too long',
      () => ({ source: streamed(bytesOf(101), 10).source, length: 100 }),
      WrongLengthError,
    ],
    [
      'a segment that cannot be opened',
      () => ({ reader: () => Promise.reject(failure), start: 0, length: 1 }),
      failure,
    ],
    ['a stream that cannot be opened', () => ({ source: () => Promise.reject(failure), length: 1 }), failure],
    [
      'a read that fails',
      () => ({
        reader: () =>
          Promise.resolve({ read: () => Promise.reject(failure), close: () => Promise.reject(failure) }),
        start: 0,
        length: 1,
      }),
      failure,
    ],
  ]
  test.each(cases)('%s', async (_what, segment, expected) => {
    const { sink, received } = lateSink()
    const sent = settled(
      sendSegments([{ bytes: bytesOf(mebibyte) }, segment(), { bytes: bytesOf(10) }], sink, { buffers }),
    )
    const error = await sent
    if (typeof expected === 'function') expect(error).toBeInstanceOf(expected)
    else expect(error).toBe(expected)
    expect([sink.destroyed, sink.writableEnded]).toEqual([true, false])
    expect(received().length).toBeLessThan(mebibyte + 100)
  })
})

describe('a connection that is cut', () => {
  const bytes = bytesOf(3 * mebibyte)

  test('before the first byte is not written to, and what was opened is closed', async () => {
    const { sink } = lateSink()
    sink.destroy()
    const { reader, open } = stored(bytes)
    const error = await settled(sendSegments([{ reader, start: 0, length: bytes.length }], sink, { buffers }))
    expect(error).toBeInstanceOf(SendAborted)
    expect([error, open()]).toMatchObject([{ flushed: 0 }, 0])
  })

  test.each([
    ['by the client', (sink: Writable) => sink.destroy()],
    ['by an error', (sink: Writable) => sink.destroy(new Error('reset'))],
    ['by us', (_sink: Writable, abort: AbortController) => abort.abort()],
  ])('%s tells how much was flushed, and lets go of all', async (_how, cut) => {
    const { sink, received, takeOne } = stalledSink()
    const abort = new AbortController()
    const { reader, open } = stored(bytes)
    const sent = settled(
      sendSegments([{ reader, start: 0, length: bytes.length }], sink, { buffers, signal: abort.signal }),
    )
    await nextTurn()
    takeOne()
    await nextTurn()
    cut(sink, abort)
    const error = await sent
    expect(error).toBeInstanceOf(SendAborted)
    expect(error).toMatchObject({ flushed: 512 * kibibyte })
    expect(received()).toBe(512 * kibibyte)
    expect([open(), sink.destroyed]).toEqual([0, true])
    // What the cut connection still has to say harms nobody.
    takeOne()
    await nextTurn()
  })

  test('ends a stream that keeps us waiting', async () => {
    const { sink } = lateSink()
    const asked = Promise.withResolvers<undefined>()
    let returned = false
    const source = {
      [Symbol.asyncIterator]: () => ({
        next() {
          asked.resolve(undefined)
          return new Promise<IteratorResult<Uint8Array>>(() => undefined)
        },
        return() {
          returned = true
          return Promise.resolve({ done: true as const, value: undefined })
        },
      }),
    }
    const sent = settled(
      sendSegments([{ source: () => Promise.resolve(source), length: 10 }], sink, { buffers }),
    )
    await asked.promise
    sink.destroy()
    expect(await sent).toBeInstanceOf(SendAborted)
    expect(returned).toBe(true)
  })
})
