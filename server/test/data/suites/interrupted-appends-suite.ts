import { describe, expect, test } from 'vitest'
import { chunksOf, resumableOf, type ResumableCaller } from '../../support/stores/resumable-caller.ts'
import { bytesOf } from '../../support/bytes.ts'
import type { ResumableStoreUnderTest } from './resumable-store.ts'
import { never } from '../../support/signals.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

/** A store under test with unfinished files, all under one key. */
export interface BrokenAppends {
  readonly store: () => ResumableStoreUnderTest
  readonly begin: () => Promise<ResumableCaller>
  readonly expectMissing: () => Promise<void>
  readonly expectFinished: (caller: ResumableCaller, bytes: Uint8Array) => Promise<void>
  /** Bytes of the largest boundary of the store, and of an append with several reports. */
  readonly largest: number
  readonly long: number
}

const key = 'key'

/** The contract of every store for an interrupted append. */
export function testBrokenAppends({
  store,
  begin,
  expectMissing,
  expectFinished,
  largest,
  long,
}: BrokenAppends): void {
  describe('an append that is interrupted', () => {
    const before = bytesOf(largest + 5_000, 1)
    const lost = bytesOf(long, 2)
    const after = bytesOf(largest + 7_000, 3)

    test.each([0, 1, 5_000, largest, long])('by its source after %d bytes, keeps these', async (size) => {
      const failure = new Error('the source broke')
      async function* broken() {
        yield* chunksOf(lost.subarray(0, size), [100_000])
        throw failure
      }
      const file = await begin()
      await file.append(before)
      await expect(file.appendFrom(broken())).rejects.toBe(failure)
      expect(file.lastPart().offset).toBe(before.length + size)
      await expectMissing()
      await file.append(after)
      await expectFinished(file, Buffer.concat([before, lost.subarray(0, size), after]))
    })

    test('by a failed report, ends soon, and continues after the stored bytes', async () => {
      const file = await begin()
      await file.append(before)
      const failure = new Error('the database is unavailable')
      let reports = 0
      async function* endless() {
        for (;;) yield* chunksOf(lost, [mebibyte])
      }
      const commit = () => {
        reports += 1
        return Promise.reject(failure)
      }
      const writes = resumableOf(await store().open())
      const appended = writes.append(key, file.lastPart(), endless(), { signal: never, commit })
      await expect(appended).rejects.toBe(failure)
      expect(reports).toBe(1)
      await file.append(after)
      await expectFinished(file, Buffer.concat([before, after]))
    })

    test('by a failed report of the end, rejects', async () => {
      const file = await begin()
      const failure = new Error('the database is unavailable')
      const commit = () => Promise.reject(failure)
      const writes = resumableOf(await store().open())
      const appended = writes.append(key, file.lastPart(), chunksOf(lost.subarray(0, 10), [10]), {
        signal: never,
        commit,
      })
      await expect(appended).rejects.toBe(failure)
      await file.append(after)
      await expectFinished(file, after)
    })

    test('before it begins, does not read its source', async () => {
      let sourceRead = false
      // eslint-disable-next-line @typescript-eslint/require-await -- a source is asynchronous
      async function* source() {
        sourceRead = true
        yield lost
      }
      const reason = new Error('not wanted')
      const file = await begin()
      await file.append(before)
      await expect(file.appendFrom(source(), AbortSignal.abort(reason))).rejects.toBe(reason)
      expect(sourceRead).toBe(false)
      await file.append(after)
      await expectFinished(file, Buffer.concat([before, after]))
    })

    test.each([
      ['between two chunks', false],
      ['while the source stalls', true],
    ])('by its signal, %s, continues after the last report', async (_, asleep) => {
      const abort = new AbortController()
      const reason = new Error('cut')
      const consumed = Promise.withResolvers<undefined>()
      async function* source() {
        yield* chunksOf(lost, [100_000])
        consumed.resolve(undefined)
        if (asleep) await new Promise(() => undefined)
        abort.abort(reason)
        yield bytesOf(10)
      }
      const file = await begin()
      await file.append(before)
      const appended = file.appendFrom(source(), abort.signal)
      const rejected = expect(appended).rejects.toBe(reason)
      await consumed.promise
      if (asleep) abort.abort(reason)
      await rejected
      const whole = Buffer.concat([before, lost])
      const { offset } = file.lastPart()
      await file.append(after)
      await expectFinished(file, Buffer.concat([whole.subarray(0, offset), after]))
    })
  })
}
