import { setImmediate as nextIteration } from 'node:timers/promises'
import { getEventListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { HashThreadError } from '../hash/hash-thread.ts'
import { hasherPool } from '../hash/hasher-pool.ts'
import { bytesOf, settled } from '../io.fixture.ts'
import { kibibyte, mebibyte } from '../../domain/sizes.ts'
import {
  hashers,
  compare,
  never,
  plain,
  readAll,
  allEqual,
  streamOf,
  receiveFrom,
} from './receive-body.fixture.ts'
import { CancelledError, SourceClosedError } from './body-source.ts'
import { receiveBody, type ReceivedBody } from './receive-body.ts'

afterEach(() => {
  expect(hashers.blocks.available()).toBe(4)
  expect(getEventListeners(never, 'abort')).toEqual([])
})
afterAll(() => hashers.close())

/** Every way in which a body can end early. */
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
  { what: 'it is cancelled', end: ({ received }: Ending) => received.cancel(), expected: CancelledError },
]
interface Ending {
  readonly source: PassThrough
  readonly abort: AbortController
  readonly received: ReceivedBody
  readonly error: Error
}

describe.each(endings)('when $what', ({ end, expected }) => {
  const begin = () => {
    const error = new Error('the end')
    const abort = new AbortController()
    const options = { signal: abort.signal, maxSize: 5 * mebibyte, tooBig: () => error }
    return { ...receiveFrom(options), abort, error }
  }
  const matches = (reason: unknown, error: Error) =>
    expected === undefined ? reason === error : reason instanceof expected
  const expectReleased = async ({ source, abort, error }: Ending) => {
    // Later events are harmless.
    abort.abort(new Error('late'))
    source.destroy(error)
    await nextIteration()
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
    'before it is read, after %d bytes, nothing is leaked',
    async (size) => {
      const body = begin()
      body.source.write(bytesOf(size))
      await nextIteration()
      end(body)
      expect(matches(await settled(readAll(body.received.blocks)), body.error)).toBe(true)
      expect(matches(await settled(body.received.digests()), body.error)).toBe(true)
      await expectReleased(body)
    },
  )

  test('while its reader waits, nothing is leaked', async () => {
    const body = begin()
    const read = settled(readAll(body.received.blocks))
    const head = settled(body.received.head)
    body.source.write(bytesOf(10))
    await nextIteration()
    end(body)
    expect(matches(await read, body.error)).toBe(true)
    expect(matches(await head, body.error)).toBe(true)
    await expectReleased(body)
  })

  test('while its reader uses a block, that block does not change', async () => {
    const body = begin()
    const blocks = body.received.blocks[Symbol.asyncIterator]()
    body.source.write(bytesOf(3 * mebibyte))
    await blocks.next()
    const second = await blocks.next()
    const inHand: unknown = second.value
    end(body)
    // The source may be paused until a thread has finished with the first block.
    expect(matches(await settled(body.received.digests()), body.error)).toBe(true)
    expect(hashers.blocks.available()).toBe(3)
    expect(
      bytesOf(3 * mebibyte)
        .subarray(128 * kibibyte, 128 * kibibyte + mebibyte)
        .equals(inHand as Uint8Array),
    ).toBe(true)
    expect(matches(await settled(blocks.next()), body.error)).toBe(true)
    expect(await blocks.next()).toEqual({ done: true, value: undefined })
    await expectReleased(body)
  })
})

describe('a reader that stops early', () => {
  test.each([0, 1, 2, 3])('after %d blocks releases everything', async (count) => {
    const { source, received } = receiveFrom()
    source.write(bytesOf(4 * mebibyte))
    const blocks = received.blocks[Symbol.asyncIterator]()
    for (let index = 0; index < count; index += 1) await blocks.next()
    await blocks.return?.()
    expect(await settled(received.digests())).toBeInstanceOf(CancelledError)
    expect(hashers.blocks.available()).toBe(4)
    source.destroy()
  })
})

test('a reader that stops while it waits gets the end', async () => {
  const { source, received } = receiveFrom()
  const blocks = received.blocks[Symbol.asyncIterator]()
  const next = blocks.next()
  await blocks.return?.()
  expect(await next).toEqual({ done: true, value: undefined })
  source.destroy()
})

test('a body that was aborted before its start is not read', async () => {
  const reason = new Error('no')
  const { source, received } = receiveFrom({ signal: AbortSignal.abort(reason) })
  source.write('bytes')
  await nextIteration()
  expect(source.readableLength).toBe(5)
  expect(await settled(received.head)).toBe(reason)
  source.destroy()
})

test('a source that is already closed fails', async () => {
  const source = new PassThrough()
  source.destroy()
  expect(await settled(receiveBody(source, plain).head)).toBeInstanceOf(SourceClosedError)
})

test('a body fails when its thread stops, and the next one gets another', async () => {
  const mortal = hasherPool({ threads: 1, blocks: 4 })
  const { source, received } = receiveFrom({ hashers: mortal })
  source.write(bytesOf(2 * mebibyte))
  await received.head
  await mortal.close()
  expect(await settled(readAll(received.blocks))).toBeInstanceOf(HashThreadError)
  expect(mortal.blocks.available()).toBe(4)
  source.destroy()

  const bytes = bytesOf(mebibyte)
  expect(
    await compare(receiveBody(streamOf(bytes, 64 * kibibyte), { ...plain, hashers: mortal }), bytes),
  ).toEqual(allEqual(bytes))
  await mortal.close()
})
