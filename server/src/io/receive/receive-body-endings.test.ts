import { getEventListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { HashThreadError } from '../hash/hash-thread.ts'
import { hasherPool } from '../hash/hasher-pool.ts'
import {
  bytesOf,
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
import { AbandonedError, SourceClosedError } from './body-source.ts'
import { receiveBody, type ReceivedBody } from './receive-body.ts'

afterEach(() => {
  expect(hashers.blocks.available()).toBe(4)
  expect(getEventListeners(never, 'abort')).toEqual([])
})
afterAll(() => hashers.close())

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
  readonly intake: ReceivedBody
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
    // The source may be held back until a thread is done with the first block.
    expect(matches(await settled(body.intake.digests()), body.error)).toBe(true)
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
  expect(await settled(receiveBody(source, plain).head)).toBeInstanceOf(SourceClosedError)
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
  expect(
    await judge(receiveBody(streamOf(bytes, 64 * kibibyte), { ...plain, hashers: mortal }), bytes),
  ).toEqual(right(bytes))
  await mortal.close()
})
