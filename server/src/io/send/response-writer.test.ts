import { setImmediate as nextIteration } from 'node:timers/promises'
import { Writable } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { responseWriter, SendAborted } from './response-writer.ts'
import { bytesOf, settled } from '../io.fixture.ts'
import { lateSink, stalledSink } from './send.fixture.ts'

const free = () => undefined

/** A response on a socket that can be closed apart from it, as that of HTTP. */
function responseOnSocket() {
  const { sink, takeOne } = stalledSink()
  const socket = new Writable()
  const response: Writable & { socket?: Writable | null } = Object.assign(sink, { socket })
  return { response, socket, takeOne }
}

describe('a closed socket, whose response reports success', () => {
  test('frees and counts no bytes of its pending writes', async () => {
    const { response, socket, takeOne } = responseOnSocket()
    const onProgress = vi.fn()
    const freed = vi.fn()
    const writer = responseWriter(response, { onProgress })
    writer.write(bytesOf(10), freed)
    const drained = settled(writer.waitForFlush(0))
    socket.destroy()
    takeOne()
    expect(await drained).toBeInstanceOf(SendAborted)
    expect(await drained).toMatchObject({ flushed: 0 })
    expect([onProgress.mock.calls, freed.mock.calls, writer.unflushed()]).toEqual([[], [], 0])
  })

  // A small response is written later, together with others.
  test.each([10, 20_000])('is not the end of a response of %d bytes', async (length) => {
    const { response, socket, takeOne } = responseOnSocket()
    const freed = vi.fn()
    const writer = responseWriter(response, {})
    const ended = settled(writer.end(bytesOf(length), freed))
    socket.destroy()
    takeOne()
    expect(await ended).toBeInstanceOf(SendAborted)
    expect(freed).not.toHaveBeenCalled()
  })

  test('is found after the response has released it', async () => {
    const { response, socket, takeOne } = responseOnSocket()
    const writer = responseWriter(response, {})
    writer.write(bytesOf(10), free)
    const drained = settled(writer.waitForFlush(0))
    socket.destroy()
    response.socket = null
    takeOne()
    expect(await drained).toBeInstanceOf(SendAborted)
  })

  test('is found when the response has got it after the writer', async () => {
    const { response, socket, takeOne } = responseOnSocket()
    response.socket = null
    const writer = responseWriter(response, {})
    response.socket = socket
    writer.write(bytesOf(10), free)
    const drained = settled(writer.waitForFlush(0))
    socket.destroy()
    takeOne()
    expect(await drained).toBeInstanceOf(SendAborted)
  })

  test('before the first write fails the first wait', async () => {
    const { response, socket } = responseOnSocket()
    socket.destroy()
    const writer = responseWriter(response, {})
    expect(await settled(writer.waitForFlush(0))).toBeInstanceOf(SendAborted)
  })
})

describe('an abort', () => {
  const reason = new Error('the upload was removed')

  test('before the writer fails the first wait with its reason', async () => {
    const writer = responseWriter(lateSink().sink, { signal: AbortSignal.abort(reason) })
    expect(await settled(writer.waitForFlush(0))).toMatchObject({ flushed: 0, cause: reason })
  })

  test('fails the pending wait, and all later ones', async () => {
    const abort = new AbortController()
    const writer = responseWriter(lateSink().sink, { signal: abort.signal })
    const waiting = settled(writer.whileOpen(new Promise(() => undefined)))
    abort.abort(reason)
    expect(await waiting).toMatchObject({ cause: reason })
    expect(await settled(writer.whileOpen(Promise.resolve()))).toBe(await waiting)
  })

  test('leaves the memory of pending writes in use', async () => {
    const { sink, takeOne } = stalledSink()
    const abort = new AbortController()
    const freed = vi.fn()
    const writer = responseWriter(sink, { signal: abort.signal })
    writer.write(bytesOf(10), freed)
    const ended = settled(writer.end(bytesOf(10), freed))
    abort.abort(reason)
    expect(await ended).toMatchObject({ cause: reason })
    takeOne()
    await nextIteration()
    takeOne()
    await nextIteration()
    expect([freed.mock.calls, sink.writableFinished]).toEqual([[], true])
  })

  test('keeps its reason when the connection breaks afterwards', async () => {
    const { sink } = lateSink()
    const abort = new AbortController()
    const writer = responseWriter(sink, { signal: abort.signal })
    abort.abort(reason)
    sink.destroy(new Error('reset'))
    await nextIteration()
    expect(await settled(writer.waitForFlush(0))).toMatchObject({ cause: reason })
  })
})

test('the error of a connection is the cause of the failure', async () => {
  const { sink } = stalledSink()
  const writer = responseWriter(sink, {})
  writer.write(bytesOf(10), free)
  const drained = settled(writer.waitForFlush(0))
  const reset = new Error('reset')
  sink.destroy(reset)
  const error = (await drained) as SendAborted
  expect(error.cause).toBe(reset)
  expect([error.name, error.message]).toEqual([
    'SendAborted',
    'the connection was closed before the last byte was sent',
  ])
})

describe('the first byte', () => {
  test.each([
    [
      'two writes',
      (writer: ReturnType<typeof responseWriter>) => {
        writer.write(bytesOf(1), free)
        writer.write(bytesOf(1), free)
      },
    ],
    ['an end', (writer: ReturnType<typeof responseWriter>) => void writer.end(bytesOf(0), free)],
  ])('begins the response once, with %s', (_how, first) => {
    const begin = vi.fn()
    const writer = responseWriter(lateSink().sink, { begin })
    expect(begin).not.toHaveBeenCalled()
    first(writer)
    expect(begin).toHaveBeenCalledTimes(1)
  })

  test('has not been written by a writer that is closed before: the connection stays', () => {
    const { sink } = lateSink()
    responseWriter(sink, { begin: free }).close()
    expect([sink.destroyed, sink.listenerCount('error'), sink.listenerCount('close')]).toEqual([false, 0, 0])
  })
})

test('a chunk that is flushed before the first wait is not waited for', async () => {
  const { sink, takeOne } = stalledSink()
  const writer = responseWriter(sink, {})
  writer.write(bytesOf(10), free)
  takeOne()
  await nextIteration()
  await writer.waitForFlush(0)
  expect(writer.unflushed()).toBe(0)
})

describe('a writer that is closed', () => {
  test('after the end keeps the connection, and no listeners', async () => {
    const { sink, received } = lateSink()
    const cut = vi.fn()
    const writer = responseWriter(sink, { cut })
    await writer.end(bytesOf(10), free)
    writer.close()
    expect(received().length).toBe(10)
    expect([cut.mock.calls.length, sink.listenerCount('error')]).toEqual([0, 0])
  })

  test('before the first write cuts the connection, unless the response is yet to begin', () => {
    const cut = vi.fn()
    responseWriter(stalledSink().sink, { cut }).close()
    expect(cut).toHaveBeenCalledTimes(1)
  })

  test('before the end cuts the connection as its caller wants', () => {
    const { sink } = stalledSink()
    const cut = vi.fn()
    const writer = responseWriter(sink, { cut })
    writer.write(bytesOf(10), free)
    writer.close()
    expect([cut.mock.calls.length, sink.destroyed, sink.listenerCount('error')]).toEqual([1, false, 1])
    expect(sink.listenerCount('close')).toBe(0)
  })

  test('listens to its signal no longer', () => {
    const { signal } = new AbortController()
    const removed = vi.spyOn(signal, 'removeEventListener')
    responseWriter(lateSink().sink, { signal }).close()
    expect(removed).toHaveBeenCalledWith('abort', expect.any(Function))
  })
})

test('small chunks of one iteration of the event loop are sent together', async () => {
  const batches: number[] = []
  const sink = new Writable({
    write: (_chunk, _encoding, done) => {
      batches.push(1)
      done()
    },
    writev: (chunks, done) => {
      batches.push(chunks.length)
      done()
    },
  })
  const writer = responseWriter(sink, {})
  for (let n = 0; n < 3; n++) writer.writeBatched(bytesOf(1), free)
  expect(batches).toEqual([])
  await writer.waitForFlush(0)
  for (let n = 0; n < 2; n++) writer.writeBatched(bytesOf(1), free)
  await writer.waitForFlush(0)
  expect(batches).toEqual([3, 2])
})
