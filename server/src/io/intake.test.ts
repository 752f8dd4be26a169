import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { HashThreadError } from './hash-thread.ts'
import { hasherPool } from './hasher-pool.ts'
import { AbandonedError, SourceClosedError, takeIn, type Intake, type IntakeOptions } from './intake.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const hashers = hasherPool({ blocks: 4 })
const never = new AbortController().signal
const plain = { maxSize: -1, tooBig: () => new Error('too big'), hashers, signal: never }

/** A source that is written to by the test, and what becomes of it. */
function takeFrom(options: Partial<IntakeOptions> = {}) {
  const source = new PassThrough({ highWaterMark: 16 * mebibyte })
  return { source, intake: takeIn(source, { ...plain, ...options }) }
}

const bytesOf = (size: number) => Buffer.alloc(size, 'some bytes that repeat after a prime number of them!')
const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => 'fine',
    (error: unknown) => error,
  )
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function readAll(blocks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const block of blocks) all.push(Buffer.from(block))
  return Buffer.concat(all)
}

/** Reads a body to its end, and tells whether everything about it is as it should be. */
async function judge(intake: Intake, bytes: Buffer) {
  const [head, read] = await Promise.all([intake.head, readAll(intake.blocks)])
  return {
    head: bytes.subarray(0, 4_100).equals(head),
    blocks: bytes.equals(read),
    digests: await intake.digests(),
  }
}
const right = (bytes: Buffer) => ({
  head: true,
  blocks: true,
  digests: { md5: createHash('md5').update(bytes).digest('hex'), crc32: crc32(bytes), size: bytes.length },
})

function* chunksOf(bytes: Buffer, size: number) {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size)
}
const streamOf = (bytes: Buffer, size: number) => Readable.from(chunksOf(bytes, size), { objectMode: false })

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
  expect(await judge(takeIn(streamOf(bytes, 64 * kibibyte), plain), bytes)).toEqual(right(bytes))
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
        const chunks = lengths.map((length) => bytes.subarray(offset, (offset += length)))
        const source = Readable.from(chunks, { objectMode: false })
        expect(await judge(takeIn(source, plain), bytes)).toEqual(right(bytes))
      },
    ),
    { numRuns: 60 },
  )
})

test('bytes come through one at a time', async () => {
  const bytes = bytesOf(10_000)
  expect(await judge(takeIn(streamOf(bytes, 1), plain), bytes)).toEqual(right(bytes))
})

test('one chunk may be larger than all memory of a body', async () => {
  const bytes = bytesOf(9 * mebibyte)
  expect(await judge(takeIn(streamOf(bytes, bytes.length), plain), bytes)).toEqual(right(bytes))
})

test('many bodies share few blocks', async () => {
  const bodies = Array.from({ length: 12 }, (_, index) => bytesOf(2 * mebibyte + index * 100_000))
  const judged = await Promise.all(
    bodies.map((bytes) => judge(takeIn(streamOf(bytes, 64 * kibibyte), plain), bytes)),
  )
  expect(judged).toEqual(bodies.map(right))
})

test('bodies that hold all blocks do not stop another', async () => {
  const stalled = Array.from({ length: 3 }, () => takeFrom())
  for (const { source } of stalled) source.write(bytesOf(3 * mebibyte))
  await Promise.all(stalled.map(({ intake }) => intake.head))
  expect(hashers.blocks.available()).toBe(0)
  const bytes = bytesOf(5 * mebibyte)
  expect(await judge(takeIn(streamOf(bytes, 64 * kibibyte), plain), bytes)).toEqual(right(bytes))
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
  expect(await judge(takeIn(streamOf(bytes, 50_000), { ...plain, hashers: without }), bytes)).toEqual(
    right(bytes),
  )
})

describe('a limit', () => {
  test.each([0, 10, 300_000])('of %d bytes lets so many in', async (maxSize) => {
    const bytes = bytesOf(maxSize)
    expect(await judge(takeIn(streamOf(bytes, 7_000), { ...plain, maxSize }), bytes)).toEqual(right(bytes))
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

/** Every way in which a body can end before its time. */
const endings: readonly {
  readonly what: string
  readonly end: (ending: Ending) => unknown
  readonly expected?: new () => Error
}[] = [
  {
    what: 'its source fails',
    end: ({ source, error }: Ending) => source.destroy(error),
  },
  { what: 'it is aborted', end: ({ abort, error }: Ending) => abort.abort(error) },
  { what: 'it is too big', end: ({ source }: Ending) => source.write(bytesOf(6 * mebibyte)) },
  {
    what: 'its source is closed',
    end: ({ source }: Ending) => source.destroy(),
    expected: SourceClosedError,
  },
  { what: 'it is abandoned', end: ({ intake }: Ending) => intake.abandon(), expected: AbandonedError },
]
interface Ending {
  readonly source: PassThrough
  readonly abort: AbortController
  readonly intake: Intake
  readonly error: Error
}

describe.each(endings)('when $what', ({ end, expected }) => {
  const begin = () => {
    const error = new Error('the end')
    const abort = new AbortController()
    const options = { signal: abort.signal, maxSize: 5 * mebibyte, tooBig: () => error }
    return { ...takeFrom(options), abort, error }
  }
  const matches = (reason: unknown, error: Error) =>
    expected === undefined ? reason === error : reason instanceof expected
  const expectLetGo = async ({ source, abort, error }: Ending) => {
    // What comes too late harms nobody.
    abort.abort(new Error('late'))
    source.destroy(error)
    await nextTurn()
    source.emit('error', new Error('later'))
    expect(hashers.blocks.available()).toBe(4)
    expect(getEventListeners(abort.signal, 'abort')).toEqual([])
    expect(
      ['data', 'end', 'close'].map((name) =>
        source.listeners(name).filter(({ name }) => /^on(Data|End|Close)$/.test(name)),
      ),
    ).toEqual([[], [], []])
  }

  test.each([0, 10, 100_000, 200_000, 4 * mebibyte])(
    'before it is read, after %d bytes, nothing is held',
    async (size) => {
      const body = begin()
      body.source.write(bytesOf(size))
      await nextTurn()
      end(body)
      expect(matches(await settled(readAll(body.intake.blocks)), body.error)).toBe(true)
      expect(matches(await settled(body.intake.digests()), body.error)).toBe(true)
      await expectLetGo(body)
    },
  )

  test('while its reader waits, nothing is held', async () => {
    const body = begin()
    const read = settled(readAll(body.intake.blocks))
    const head = settled(body.intake.head)
    body.source.write(bytesOf(10))
    await nextTurn()
    end(body)
    expect(matches(await read, body.error)).toBe(true)
    expect(matches(await head, body.error)).toBe(true)
    await expectLetGo(body)
  })

  test('while its reader has a block in hand, that one stays as it is', async () => {
    const body = begin()
    const blocks = body.intake.blocks[Symbol.asyncIterator]()
    body.source.write(bytesOf(3 * mebibyte))
    await blocks.next()
    const second = await blocks.next()
    const inHand: unknown = second.value
    end(body)
    await nextTurn()
    expect(hashers.blocks.available()).toBe(3)
    expect(
      bytesOf(3 * mebibyte)
        .subarray(128 * kibibyte, 128 * kibibyte + mebibyte)
        .equals(inHand as Uint8Array),
    ).toBe(true)
    expect(matches(await settled(blocks.next()), body.error)).toBe(true)
    expect(await blocks.next()).toEqual({ done: true, value: undefined })
    await expectLetGo(body)
  })
})

describe('a reader that stops early', () => {
  test.each([0, 1, 2, 3])('after %d blocks lets go of all', async (count) => {
    const { source, intake } = takeFrom()
    source.write(bytesOf(4 * mebibyte))
    const blocks = intake.blocks[Symbol.asyncIterator]()
    for (let index = 0; index < count; index += 1) await blocks.next()
    await blocks.return?.()
    expect(await settled(intake.digests())).toBeInstanceOf(AbandonedError)
    expect(hashers.blocks.available()).toBe(4)
    source.destroy()
  })
})

test('a reader that stops while it waits gets an end', async () => {
  const { source, intake } = takeFrom()
  const blocks = intake.blocks[Symbol.asyncIterator]()
  const next = blocks.next()
  await blocks.return?.()
  expect(await next).toEqual({ done: true, value: undefined })
  source.destroy()
})

test('what was aborted before it began is not read at all', async () => {
  const reason = new Error('no')
  const { source, intake } = takeFrom({ signal: AbortSignal.abort(reason) })
  source.write('bytes')
  await nextTurn()
  expect(source.readableLength).toBe(5)
  expect(await settled(intake.head)).toBe(reason)
  source.destroy()
})

test('a source that is closed already is a closed source', async () => {
  const source = new PassThrough()
  source.destroy()
  expect(await settled(takeIn(source, plain).head)).toBeInstanceOf(SourceClosedError)
})

test('an abort after the last block changes nothing', async () => {
  const abort = new AbortController()
  const bytes = bytesOf(2 * mebibyte)
  const intake = takeIn(streamOf(bytes, 64 * kibibyte), { ...plain, signal: abort.signal })
  await readAll(intake.blocks)
  abort.abort()
  expect(await intake.digests()).toEqual(right(bytes).digests)
})

test('a body fails when its thread stops, and the next one gets another', async () => {
  const mortal = hasherPool({ threads: 1, blocks: 4 })
  const { source, intake } = takeFrom({ hashers: mortal })
  source.write(bytesOf(2 * mebibyte))
  await intake.head
  await mortal.close()
  expect(await settled(readAll(intake.blocks))).toBeInstanceOf(HashThreadError)
  expect(mortal.blocks.available()).toBe(4)
  source.destroy()

  const bytes = bytesOf(mebibyte)
  expect(await judge(takeIn(streamOf(bytes, 64 * kibibyte), { ...plain, hashers: mortal }), bytes)).toEqual(
    right(bytes),
  )
  await mortal.close()
})
