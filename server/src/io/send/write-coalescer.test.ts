import { expect, test } from 'vitest'
import { smallBuffer, type BufferPool } from './buffer-pool.ts'
import { SendAborted, type ResponseWriter } from './response-writer.ts'
import { settled } from '../io.fixture.ts'
import { writeCoalescer } from './write-coalescer.ts'

/** A coalescer over a writer whose chunks the test flushes, and the use of its buffers. */
function coalescer({ beforeLast }: { readonly beforeLast?: () => Promise<void> } = {}) {
  const written: { readonly bytes: number; readonly free: () => void }[] = []
  const ended: { readonly bytes: number; readonly free: () => void }[] = []
  const acquired: (readonly [number, string])[] = []
  const state = { unflushed: 0, released: 0, discarded: 0, isCut: false }
  const writer: ResponseWriter = {
    write: (chunk, free) => written.push({ bytes: chunk.length, free }),
    writeBatched: (chunk, free) => written.push({ bytes: chunk.length, free }),
    waitForFlush: () => Promise.resolve(),
    end(last, free) {
      ended.push({ bytes: last.length, free })
      if (state.isCut) return Promise.reject(new SendAborted(0))
      free()
      return Promise.resolve()
    },
    whileOpen: (promise) => promise,
    unflushed: () => state.unflushed,
    close: () => undefined,
  }
  const buffers: BufferPool = {
    size: 4 * smallBuffer,
    available: () => 1,
    acquire(bytes, use) {
      acquired.push([bytes, use])
      return new Uint8Array(bytes > smallBuffer ? 4 * smallBuffer : smallBuffer)
    },
    release: () => {
      state.released += 1
    },
    discard: () => {
      state.discarded += 1
    },
    trim: () => 0,
  }
  const options = { buffers, ...(beforeLast && { beforeLast }) }
  return { coalescer: writeCoalescer(writer, options), written, ended, acquired, state }
}

const sizes = (chunks: readonly { readonly bytes: number }[]) => chunks.map(({ bytes }) => bytes)

test('bytes are collected in one chunk until its buffer is full', async () => {
  const { coalescer: chunks, written, ended } = coalescer()
  for (let count = 0; count < 3; count += 1) {
    await chunks.reserve(10)
    chunks.commit(10)
  }
  expect(written).toEqual([])
  const memory = await chunks.reserve(smallBuffer)
  expect(memory).toHaveLength(smallBuffer - 30)
  chunks.commit(memory.length)
  await chunks.reserve(10)
  expect(sizes(written)).toEqual([smallBuffer])
  chunks.commit(10)
  await chunks.finish()
  expect(sizes(ended)).toEqual([10])
})

test('a buffer fits the bytes that follow, and is ahead while another is sent', async () => {
  const { coalescer: chunks, acquired, state } = coalescer()
  await chunks.reserve(100)
  chunks.commit(100)
  chunks.flush()
  state.unflushed = 1
  await chunks.reserve(1_000_000)
  expect(acquired).toEqual([
    [100, 'first'],
    [1_000_000, 'ahead'],
  ])
})

test('a flush without bytes writes nothing', async () => {
  const { coalescer: chunks, written } = coalescer()
  chunks.flush()
  await chunks.reserve(10)
  chunks.flush()
  expect(written).toEqual([])
})

test('a response without bytes ends without a chunk', async () => {
  const { coalescer: chunks, written, ended } = coalescer()
  await chunks.finish()
  expect([written, sizes(ended)]).toEqual([[], [0]])
})

test('a buffer is released when its chunk is flushed, and discarded when it may be in use', async () => {
  const { coalescer: chunks, written, state } = coalescer()
  for (let count = 0; count < 3; count += 1) {
    await chunks.reserve(10)
    chunks.commit(10)
    chunks.flush()
  }
  written[0]?.free()
  expect([state.released, state.discarded]).toEqual([1, 0])
  await chunks.reserve(10)
  chunks.close()
  expect([state.released, state.discarded]).toEqual([2, 2])
  chunks.close()
  expect([state.released, state.discarded]).toEqual([2, 2])
})

test.each([
  { isCut: false, released: 1, discarded: 0 },
  { isCut: true, released: 0, discarded: 1 },
])(
  'the last buffer may be in use if the connection was cut ($isCut)',
  async ({ isCut, released, discarded }) => {
    const { coalescer: chunks, state } = coalescer()
    state.isCut = isCut
    await chunks.reserve(10)
    chunks.commit(10)
    await settled(chunks.finish())
    chunks.close()
    expect([state.released, state.discarded]).toEqual([released, discarded])
  },
)

test.each([10, smallBuffer])('before the last %i bytes, the callback is awaited', async (bytes) => {
  const order: string[] = []
  const {
    coalescer: chunks,
    written,
    ended,
  } = coalescer({
    beforeLast: () => {
      order.push(`${String(ended.length)} ended`)
      return Promise.resolve()
    },
  })
  await chunks.reserve(bytes)
  chunks.commit(bytes)
  await chunks.finish()
  expect([sizes(written), sizes(ended)]).toEqual([[], [bytes]])
  expect(order).toEqual(['0 ended'])
})
