import { expect, test } from 'vitest'
import { fairQueue } from './fair-queue.ts'

/** Work that ends when it is let go, and tells in which order it began. */
function workshop(most = 100) {
  const queue = fairQueue<'a' | 'b'>({ parallel: 1, most, full: () => new Error('full') })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (line: 'a' | 'b', network: string, name: string) =>
    queue.run({ line, network }, () => {
      begun.push(name)
      return new Promise<string>((resolve) => {
        ends.push(() => {
          resolve(name)
        })
      })
    })
  /** Ends one after the other until nothing runs any more. */
  const finish = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end()
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    }
  }
  return { queue, begun, ask, finish }
}

test('a line that comes while another is worked on is the next one', async () => {
  const { queue, begun, ask, finish } = workshop()
  const flood = Array.from({ length: 50 }, (_, index) => ask('a', 'n1', `flood ${String(index)}`))
  const one = ask('b', 'n1', 'one')
  expect(queue.waiting()).toBe(50)
  await finish()
  expect(begun.indexOf('one')).toBe(1)
  expect(await one).toBe('one')
  expect(await Promise.all(flood)).toHaveLength(50)
  expect(queue.waiting()).toBe(0)
})

test('within a line networks take turns, and each is served in order', async () => {
  const { begun, ask, finish } = workshop()
  const all = ['x0', 'x1', 'x2', 'x3', 'y1', 'y2', 'z1'].map((name) => ask('a', name.charAt(0), name))
  await finish()
  await Promise.all(all)
  expect(begun).toEqual(['x0', 'x1', 'y1', 'z1', 'x2', 'y2', 'x3'])
})

test('in a full line the network with the most gives up its last place, and its own newcomers find none', async () => {
  const { begun, ask, finish } = workshop(4)
  const flood = Array.from({ length: 6 }, (_, index) => ask('a', 'flood', `flood ${String(index)}`))
  const others = ['p', 'q', 'r'].map((network) => ask('a', network, network))
  const outcomes = Promise.allSettled([...flood, ...others])
  await finish()
  const kept = (await outcomes).map(({ status }) => status === 'fulfilled')
  // The first is worked on, four wait, the sixth finds no place; three of those who wait make room.
  expect(kept).toEqual([true, true, false, false, false, false, true, true, true])
  expect(begun).toEqual(['flood 0', 'flood 1', 'p', 'q', 'r'])
})

test('work that fails leaves its place to the next', async () => {
  const queue = fairQueue<'a'>({ parallel: 1, most: 10, full: () => new Error('full') })
  const turn = { line: 'a', network: 'n' } as const
  const failed = queue.run(turn, () => Promise.reject(new Error('broken')))
  const next = queue.run(turn, () => Promise.resolve('done'))
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('done')
  expect(await queue.run(turn, () => Promise.resolve('again'))).toBe('again')
})
