import { expect, test } from 'vitest'
import { createThumbnailStore } from './thumbnail-store.ts'

interface Drawing {
  readonly name: string
  readonly finish: (thumbnail?: Blob) => void
}

/** A store whose drawings end when the test says so. */
function newStore({ capacity = 10 } = {}) {
  const drawings: Drawing[] = []
  const store = createThumbnailStore<{ readonly name: string }>({
    concurrency: 2,
    capacity,
    draw: ({ name }) => new Promise((resolve) => drawings.push({ name, finish: resolve })),
  })
  const sources = ['a', 'b', 'c', 'd'].map((name) => ({ name }))
  return {
    drawings,
    names: () => drawings.map(({ name }) => name),
    get: (index: number, signal = new AbortController().signal) =>
      store.get(sources[index] ?? { name: 'none' }, signal),
  }
}

test('two thumbnails are drawn at once, the others after them', async () => {
  const { drawings, names, get } = newStore()
  const all = [get(0), get(1), get(2)]
  expect(names()).toEqual(['a', 'b'])
  drawings[0]?.finish(new Blob(['a']))
  expect(await (await all[0])?.text()).toBe('a')
  await expect.poll(names).toEqual(['a', 'b', 'c'])
})

test('a file that is no longer in view is not drawn', async () => {
  const { drawings, names, get } = newStore()
  const stop = new AbortController()
  const running = [get(0), get(1)]
  const waiting = get(2, stop.signal)
  const last = get(3)
  stop.abort()
  for (const { finish } of drawings) finish()
  await Promise.all(running)
  expect(await waiting).toBe(undefined)
  await expect.poll(names).toEqual(['a', 'b', 'd'])
  drawings[2]?.finish()
  await last
})

test('a thumbnail is drawn once, and again when it is no longer among the latest', async () => {
  const { drawings, names, get } = newStore({ capacity: 2 })
  const draw = async (index: number) => {
    const thumbnail = get(index)
    drawings.at(-1)?.finish(new Blob([String(index)]))
    return (await thumbnail)?.text()
  }
  expect([await draw(0), await draw(1), await draw(0)]).toEqual(['0', '1', '0'])
  expect(names()).toEqual(['a', 'b'])
  // The second is now the oldest.
  expect([await draw(2), await draw(0), await draw(1)]).toEqual(['2', '0', '1'])
  expect(names()).toEqual(['a', 'b', 'c', 'b'])
})

test('a file without a thumbnail is remembered, too', async () => {
  const { drawings, names, get } = newStore()
  const first = get(0)
  drawings[0]?.finish(undefined)
  expect([await first, await get(0)]).toEqual([undefined, undefined])
  expect(names()).toEqual(['a'])
})
