import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pairByKey } from './pair-by-key.ts'

// eslint-disable-next-line @typescript-eslint/require-await -- a source is asynchronous
async function* entries(keys: readonly string[], side: string) {
  for (const key of keys) yield { key, side }
}
const pairAll = async (left: readonly string[], right: readonly string[]) =>
  (await Array.fromAsync(pairByKey(entries(left, 'left'), entries(right, 'right')))).map((pair) => [
    pair.key,
    pair.left?.side,
    pair.right?.side,
  ])

test('joins equal keys and yields all others alone, in the order of keys', async () => {
  expect(await pairAll(['1', 'B', 'a', 'c'], ['B', 'C', 'c', 'd'])).toEqual([
    ['1', 'left', undefined],
    ['B', 'left', 'right'],
    ['C', undefined, 'right'],
    ['a', 'left', undefined],
    ['c', 'left', 'right'],
    ['d', undefined, 'right'],
  ])
})

test('yields each key once with the entries of both sides', async () => {
  const keys = fc.uniqueArray(fc.string({ maxLength: 3 })).map((unsorted) => unsorted.sort())
  await fc.assert(
    fc.asyncProperty(keys, keys, async (left, right) => {
      const all = [...new Set([...left, ...right])].sort()
      const side = (has: readonly string[], key: string, name: string) =>
        has.includes(key) ? name : undefined
      expect(await pairAll(left, right)).toEqual(
        all.map((key) => [key, side(left, key, 'left'), side(right, key, 'right')]),
      )
    }),
  )
})

test('yields every entry of an unordered source, but not paired with its partner', async () => {
  const pairs = await pairAll(['a', 'b', 'c'], ['c', 'a', 'b'])
  expect(pairs.filter(([, left]) => left !== undefined).map(([key]) => key)).toEqual(['a', 'b', 'c'])
  expect(pairs.filter(([, , right]) => right !== undefined).map(([key]) => key)).toEqual(['c', 'a', 'b'])
})

test('closes both sources when its reader stops early, or one of them fails', async () => {
  const closed: string[] = []
  async function* watched(name: string, fails: boolean) {
    try {
      yield { key: 'a' }
      await Promise.resolve()
      if (fails) throw new Error('broken')
      yield { key: 'b' }
    } finally {
      closed.push(name)
    }
  }
  for await (const { key } of pairByKey(watched('one', false), watched('two', false))) {
    expect(key).toBe('a')
    break
  }
  await expect(Array.fromAsync(pairByKey(watched('three', true), watched('four', false)))).rejects.toThrow(
    'broken',
  )
  expect(closed.sort()).toEqual(['four', 'one', 'three', 'two'])
})
