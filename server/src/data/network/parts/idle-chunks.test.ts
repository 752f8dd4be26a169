import { describe, expect, test } from 'vitest'
import type { Clock } from '../../../domain/clock.ts'
import { withIdleChunks } from './idle-chunks.ts'

/** A clock whose only interval ends when the test calls `tick`. */
function tickingClock() {
  let work: (() => void) | undefined
  const clock: Clock = {
    now: () => 0,
    every(_, current) {
      work = current
      return () => {
        work = undefined
      }
    },
  }
  return { clock, tick: () => work?.(), isRunning: () => work !== undefined }
}

describe('a source with idle chunks', () => {
  test('yields an empty chunk after each idle interval, and all chunks of the source', async () => {
    const { clock, tick, isRunning } = tickingClock()
    const held = Promise.withResolvers<undefined>()
    async function* source() {
      yield Uint8Array.of(1)
      await held.promise
      yield Uint8Array.of(2)
    }
    const chunks = withIdleChunks(source(), clock, 10).chunks[Symbol.asyncIterator]()
    expect(await chunks.next()).toEqual({ done: false, value: Uint8Array.of(1) })
    for (let count = 0; count < 2; count += 1) {
      const waited = chunks.next()
      tick()
      expect(await waited).toEqual({ done: false, value: new Uint8Array() })
    }
    held.resolve(undefined)
    expect(await chunks.next()).toEqual({ done: false, value: Uint8Array.of(2) })
    expect((await chunks.next()).done).toBe(true)
    expect(isRunning()).toBe(false)
  })

  test('ends where the source fails, and reports the error', async () => {
    const reason = new Error('cut')
    // eslint-disable-next-line @typescript-eslint/require-await -- a source is asynchronous
    async function* source() {
      yield Uint8Array.of(1)
      throw reason
    }
    const { chunks, failure } = withIdleChunks(source(), tickingClock().clock, 10)
    const got: number[] = []
    for await (const chunk of chunks) got.push(...chunk)
    expect(got).toEqual([1])
    expect(failure()).toEqual({ error: reason })
  })

  test('stops while the source is idle, and releases the source and the clock', async () => {
    const { clock, isRunning } = tickingClock()
    let isLeft = false
    const source: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: () => {
          isLeft = true
          return Promise.resolve({ done: true, value: undefined })
        },
      }),
    }
    const chunks = withIdleChunks(source, clock, 10).chunks[Symbol.asyncIterator]()
    void chunks.next()
    expect(isRunning()).toBe(true)
    await chunks.return?.()
    expect([isRunning(), isLeft]).toEqual([false, true])
  })
})
