import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Writable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { bufferPool } from './buffer-pool.ts'
import { SendAborted } from './response-writer.ts'
import { bytesOf, settled } from '../io.fixture.ts'
import { lateSink, stalledSink, stored, streamed } from './send.fixture.ts'
import { sendSegments, WrongLengthError, type Segment } from './send-segments.ts'
import { kibibyte, mebibyte } from '../../domain/sizes.ts'

const buffers = bufferPool({ count: 8 })

afterEach(() => {
  expect(buffers.available()).toBe(8)
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
  test.each(cases)('%s', async (_case, segment, expected) => {
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

  test('before the first byte gets no bytes, and open readers are closed', async () => {
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
  ])('%s reports the flushed bytes and releases everything', async (_how, cut) => {
    const { sink, received, takeOne } = stalledSink()
    const abort = new AbortController()
    const { reader, open } = stored(bytes)
    const sent = settled(
      sendSegments([{ reader, start: 0, length: bytes.length }], sink, { buffers, signal: abort.signal }),
    )
    await nextIteration()
    takeOne()
    await nextIteration()
    cut(sink, abort)
    const error = await sent
    expect(error).toBeInstanceOf(SendAborted)
    expect(error).toMatchObject({ flushed: 512 * kibibyte })
    expect(received()).toBe(512 * kibibyte)
    expect([open(), sink.destroyed]).toEqual([0, true])
    // Later events of the cut connection are harmless.
    takeOne()
    await nextIteration()
  })

  test('ends a stream that does not deliver', async () => {
    const { sink } = lateSink()
    const requested = Promise.withResolvers<undefined>()
    let returned = false
    const source = {
      [Symbol.asyncIterator]: () => ({
        next() {
          requested.resolve(undefined)
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
    await requested.promise
    sink.destroy()
    expect(await sent).toBeInstanceOf(SendAborted)
    expect(returned).toBe(true)
  })
})

test('a source that fails after the end causes no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const listen = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', listen)
  try {
    const { sink } = stalledSink()
    sink.destroy()
    const { promise, reject } = Promise.withResolvers<IteratorResult<Uint8Array>>()
    const source = { [Symbol.asyncIterator]: () => ({ next: () => promise }) }
    const sending = sendSegments([{ source: () => Promise.resolve(source) }], sink, { buffers })
    expect(await settled(sending)).toBeInstanceOf(SendAborted)
    reject(new Error('the other side broke, too'))
    await nextIteration()
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', listen)
  }
})
