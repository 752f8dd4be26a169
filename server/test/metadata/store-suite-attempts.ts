import { expect, test } from 'vitest'
import type { MetadataStore } from '../../src/metadata/store.ts'

let made = 0
const fresh = () => `key ${String((made += 1))}`
const times = <Result>(count: number, work: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, work))

/** Windows in which attempts are counted. */
export function attemptsSuite(store: () => MetadataStore): void {
  test('a window begins once, however many begin it', async () => {
    const key = fresh()
    expect((await times(10, () => store().attempts.startWindow(key, 500))).filter(Boolean)).toHaveLength(1)
    expect(await store().attempts.increment(key, 1, 0)).toBe(false)
  })

  test('a window has room for as many as it may, however many come at once', async () => {
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

  test('a window that is over counts no more, and a new one begins in its place once', async () => {
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

  test('nothing is counted below none', async () => {
    const key = fresh()
    await store().attempts.startWindow(key, 500)
    await store().attempts.decrement(key)
    await store().attempts.decrement(key)
    expect(await store().attempts.increment(key, 1, 0)).toBe(true)
    expect(await store().attempts.increment(key, 1, 0)).toBe(false)
  })

  test('what is forgotten, or over and cleaned, was never there', async () => {
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
