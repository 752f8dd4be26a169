import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gatherParts, type Part } from './gather-parts.ts'
import { partBufferPool } from './part-buffer-pool.ts'

const never = new AbortController().signal
const ownSize = 128 * 1024

const bytesOf = (size: number) => Uint8Array.from({ length: size }, (_, index) => index * 7 + (index >> 8))

/** Chunks that share memory, like those of a body. */
// eslint-disable-next-line @typescript-eslint/require-await -- the tested function takes asynchronous chunks, and nothing here waits
async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const memory = new Uint8Array(Math.max(...sizes))
  for (let offset = 0, nextTurn = 0; offset < bytes.length; nextTurn += 1) {
    const part = bytes.subarray(offset, offset + (sizes[nextTurn % sizes.length] ?? 1))
    memory.fill(255)
    memory.set(part)
    yield memory.subarray(0, part.length)
    offset += part.length
  }
}

function setup(size: number) {
  const buffers = partBufferPool({ size, shared: 100 * size }).forUpload()
  let acquired = 0
  const acquire = () => {
    acquired += 1
    return buffers.acquire(never)
  }
  return { options: { size, buffers, acquire }, acquired: () => acquired }
}

test('parts have one size but the last, are numbered, and hold all bytes in their order', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fc.nat(500), fc.integer({ min: 1, max: 60 }), sizes, async (total, size, chunks) => {
      const bytes = bytesOf(total)
      const got: Uint8Array[] = []
      for await (const part of gatherParts(chunksOf(bytes, chunks), setup(size).options)) {
        expect(part.number).toBe(got.length + 1)
        expect(part.start).toBe((part.number - 1) * size)
        expect(part.bytes.length).toBeLessThanOrEqual(size)
        if (!part.last) expect(part.bytes).toHaveLength(size)
        expect(part.last).toBe(part.number === Math.max(1, Math.ceil(total / size)))
        got.push(Uint8Array.from(part.bytes))
        part.release()
      }
      expect(Buffer.concat(got).equals(bytes)).toBe(true)
    }),
  )
})

test.each([
  [0, 0],
  [1, 0],
  [ownSize, 0],
  [ownSize + 1, 1],
  [200_000, 1],
  [200_001, 2],
])('a file of %d bytes takes shared memory %d times', async (total, expected) => {
  const { options, acquired } = setup(200_000)
  for await (const part of gatherParts(chunksOf(bytesOf(total), [50_000]), options)) part.release()
  expect(acquired()).toBe(expected)
})

test('releases memory when the reader stops early', async () => {
  const memory = partBufferPool({ size: 10, shared: 10, max: 10, timeout: 1_000 })
  const buffers = memory.forUpload()
  const parts = gatherParts(chunksOf(bytesOf(25), [25]), {
    size: 10,
    buffers,
    acquire: () => buffers.acquire(never),
  })
  let first: Part | undefined
  for await (const part of parts) {
    first = part
    break
  }
  first?.release()
  expect(await memory.forUpload().acquire(never)).toHaveLength(10)
})

test('parts are as small as the available memory', async () => {
  const least = ownSize + 1
  const bytes = bytesOf(2 * least + 10)
  const buffers = partBufferPool({ size: 10 * least, shared: 0 }).forUpload()
  const sizes: number[] = []
  const reads: number[] = []
  const acquire = (number: number) => {
    reads.push(number)
    return buffers.acquire(never, least)
  }
  const got: Uint8Array[] = []
  for await (const part of gatherParts(chunksOf(bytes, [50_000]), { size: 10 * least, buffers, acquire })) {
    expect(part.start).toBe(sizes.reduce((sum, size) => sum + size, 0))
    sizes.push(part.bytes.length)
    got.push(Uint8Array.from(part.bytes))
    part.release()
  }
  expect(sizes).toEqual([least, least, 10])
  expect(reads).toEqual([1, 2, 3])
  expect(Buffer.concat(got).equals(bytes)).toBe(true)
})

test('a part ends when it is due, even by an empty chunk, but is never empty before the last', async () => {
  const { options } = setup(1_000)
  // eslint-disable-next-line @typescript-eslint/require-await -- the tested function takes asynchronous chunks, and nothing here waits
  async function* source() {
    for (const size of [10, 0, 0, 20, 5, 0]) yield new Uint8Array(size)
  }
  const reads: number[] = []
  const isDue = (number: number) => {
    reads.push(number)
    // At every second call.
    return reads.length % 2 === 0
  }
  const parts: (readonly [number, number, boolean])[] = []
  for await (const { bytes, start, last, release } of gatherParts(source(), { ...options, isDue })) {
    parts.push([start, bytes.length, last])
    release()
  }
  expect(parts).toEqual([
    [0, 10, false],
    [10, 25, false],
    [35, 0, true],
  ])
  expect(reads).toEqual([1, 1, 2, 2])
})
