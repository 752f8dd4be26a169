import { ApiError, type UploadEvent } from '@svc/sdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Report } from './messages.ts'
import { uploadChanges } from './upload-changes.ts'

const settleMs = 100

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  // The browser is online.
  vi.stubGlobal('addEventListener', () => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

interface Opened {
  readonly uploadIDs: readonly string[]
  readonly signal: AbortSignal | undefined
  readonly onOpen: (() => void) | undefined
  /** Sends an event, or ends the stream. */
  readonly next: (event: UploadEvent | Error | undefined) => void
}

function newStream() {
  const opened: Opened[] = []
  const reports: Report[] = []
  const watch = uploadChanges(
    async function* (uploadIDs, { signal, onOpen }) {
      for (;;) {
        const { promise, resolve } = Promise.withResolvers<UploadEvent | Error | undefined>()
        opened.push({ uploadIDs, signal, onOpen, next: resolve })
        const event = await promise
        if (event instanceof Error) throw event
        if (event === undefined) return
        yield event
      }
    },
    (report) => reports.push(report),
  )
  return { watch, opened, reports, taken: () => reports.splice(0) }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const none: Report = { covered: [], changed: [] }

test('one stream is opened for uploads that follow each other within 100 ms', async () => {
  const { watch, opened } = newStream()
  watch(['a'])
  await pass(settleMs - 1)
  watch(['a', 'b', 'a'])
  await pass(settleMs)
  watch(['b', 'a'])
  await pass(settleMs)
  expect(opened.map(({ uploadIDs }) => uploadIDs)).toEqual([['a', 'b']])
})

test('the begin of a stream is a possible change of all of its uploads, and an event of one', async () => {
  const { watch, opened, taken } = newStream()
  watch(['a', 'b'])
  await pass(settleMs)
  expect(taken()).toEqual([none])
  opened[0]?.onOpen?.()
  expect(taken()).toEqual([{ covered: ['a', 'b'], changed: ['a', 'b'] }])
  opened[0]?.next({ uploadID: 'b' })
  await pass(0)
  expect(taken()).toEqual([{ covered: ['a', 'b'], changed: ['b'] }])
})

test('the stream ends with the last upload', async () => {
  const { watch, opened, taken } = newStream()
  watch(['a'])
  await pass(settleMs)
  watch([])
  await pass(settleMs)
  expect(opened[0]?.signal?.aborted).toBe(true)
  opened[0]?.next(new Error('aborted'))
  await pass(60_000)
  expect([opened.length, taken()]).toEqual([1, [none, none]])
})

test.each([undefined, new TypeError('cut'), new ApiError(429, 'too_many_connections', 'busy')])(
  'a stream that ends with %s is opened again, and covers nothing meanwhile',
  async (end) => {
    const { watch, opened, taken } = newStream()
    watch(['a'])
    await pass(settleMs)
    opened[0]?.onOpen?.()
    taken()
    opened[0]?.next(end)
    await pass(0)
    expect([taken(), opened.length]).toEqual([[none], 1])
    await pass(500)
    expect(opened.length).toBe(2)
  },
)

test('a stream that the server does not have is not opened again', async () => {
  const { watch, opened } = newStream()
  watch(['a'])
  await pass(settleMs)
  opened[0]?.next(new ApiError(404, 'not_found', 'none'))
  await pass(600_000)
  expect(opened.length).toBe(1)
})

test('the newest 64 uploads have room in a stream', async () => {
  const { watch, opened } = newStream()
  const ids = Array.from({ length: 65 }, (_, index) => String(index))
  watch(ids)
  await pass(settleMs)
  expect(opened[0]?.uploadIDs).toEqual(ids.slice(1))
})
