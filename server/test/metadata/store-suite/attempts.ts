import { expect, test } from 'vitest'
import type { MetadataStore } from '../../../src/metadata/store.ts'

let made = 0
const fresh = () => `key ${String((made += 1))}`
const times = <Result>(count: number, work: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, work))

/** Time windows that count attempts. */
export function attemptsSuite(store: () => MetadataStore): void {
  test('parallel attempts begin one window', async () => {
    const key = fresh()
    expect((await times(10, () => store().attempts.startWindow(key, 500))).filter(Boolean)).toHaveLength(1)
    expect(await store().attempts.increment(key, 1, 0)).toBe(false)
  })

  test('parallel attempts never exceed the limit of a window', async () => {
    const key = fresh()
    await store().attempts.startWindow(key, 500)
    expect((await times(20, () => store().attempts.increment(key, 7, 0))).filter(Boolean)).toHaveLength(6)
    expect(await store().attempts.exhaustedUntil(key, 7)).toBe(500)
    expect(await store().attempts.exhaustedUntil(key, 8)).toBeUndefined()
    await store().attempts.decrement(key)
    expect([
      await store().attempts.increment(key, 7, 0),
      await store().attempts.increment(key, 7, 0),
    ]).toEqual([true, false])
  })

  test('an attempt that counts several times fits as a whole, or not at all', async () => {
    const key = fresh()
    const { attempts } = store()
    expect(await attempts.startWindow(key, 500, 4)).toBe(true)
    expect((await times(9, () => attempts.increment(key, 10, 0, 3))).filter(Boolean)).toHaveLength(2)
    expect([await attempts.exhaustedUntil(key, 10), await attempts.exhaustedUntil(key, 11)]).toEqual([
      500,
      undefined,
    ])
    expect(await attempts.restartWindow(key, 500, 999, 8)).toBe(true)
    expect([await attempts.increment(key, 10, 600, 3), await attempts.increment(key, 10, 600, 2)]).toEqual([
      false,
      true,
    ])
  })

  test('an expired window no longer counts, and is replaced once', async () => {
    const key = fresh()
    await store().attempts.startWindow(key, 500)
    expect(await store().attempts.restartWindow(key, 499, 999)).toBe(false)
    expect(await store().attempts.increment(key, 9, 500)).toBe(false)
    expect(
      (await times(5, () => store().attempts.restartWindow(key, 500, 999))).filter(Boolean),
    ).toHaveLength(1)
    expect(await store().attempts.exhaustedUntil(key, 1)).toBe(999)
    expect(await store().attempts.increment(key, 2, 998)).toBe(true)
  })

  test('a count is never negative', async () => {
    const key = fresh()
    await store().attempts.startWindow(key, 500)
    await store().attempts.decrement(key)
    await store().attempts.decrement(key)
    expect(await store().attempts.increment(key, 1, 0)).toBe(true)
    expect(await store().attempts.increment(key, 1, 0)).toBe(false)
  })

  test('a forgotten or expired window is removed', async () => {
    const [forgotten, over, running] = [fresh(), fresh(), fresh()]
    await store().attempts.startWindow(forgotten, 5_000)
    await store().attempts.startWindow(over, 4_000)
    await store().attempts.startWindow(running, 4_001)
    await store().attempts.remove(forgotten)
    await store().attempts.removeExpired(4_000)
    expect(await store().attempts.startWindow(forgotten, 5_000)).toBe(true)
    expect(await store().attempts.startWindow(over, 5_000)).toBe(true)
    expect(await store().attempts.startWindow(running, 5_000)).toBe(false)
  })
}
