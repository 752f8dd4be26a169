import { expect, test } from 'vitest'
import { fairQueue } from './fair-queue.ts'

/** Controls when each piece of work ends, and records the order in which work starts. */
function controlledQueue(maxWaiting = 100) {
  const queue = fairQueue<'a' | 'b'>({ parallel: 1, maxWaiting, full: () => new Error('full') })
  const started: string[] = []
  const ends: (() => void)[] = []
  const enqueue = (name: 'a' | 'b', network: string, label: string) =>
    queue.run({ queue: name, network }, () => {
      started.push(label)
      return new Promise<string>((resolve) => {
        ends.push(() => {
          resolve(label)
        })
      })
    })
  /** Ends all work, one after the other. */
  const finish = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end()
      for (let tick = 0; tick < 10; tick += 1) await Promise.resolve()
    }
  }
  return { queue, started, enqueue, finish }
}

test('a queue that gets work while another runs is next', async () => {
  const { queue, started, enqueue, finish } = controlledQueue()
  const flood = Array.from({ length: 50 }, (_, index) => enqueue('a', 'n1', `flood ${String(index)}`))
  const one = enqueue('b', 'n1', 'one')
  expect(queue.waiting()).toBe(50)
  await finish()
  expect(started.indexOf('one')).toBe(1)
  expect(await one).toBe('one')
  expect(await Promise.all(flood)).toHaveLength(50)
  expect(queue.waiting()).toBe(0)
})

test('networks alternate within a queue, and each is served in order', async () => {
  const { started, enqueue, finish } = controlledQueue()
  const all = ['x0', 'x1', 'x2', 'x3', 'y1', 'y2', 'z1'].map((name) => enqueue('a', name.charAt(0), name))
  await finish()
  await Promise.all(all)
  expect(started).toEqual(['x0', 'x1', 'y1', 'z1', 'x2', 'y2', 'x3'])
})

test('a full queue rejects the last request of the network with the most', async () => {
  const { started, enqueue, finish } = controlledQueue(4)
  const flood = Array.from({ length: 6 }, (_, index) => enqueue('a', 'flood', `flood ${String(index)}`))
  const others = ['p', 'q', 'r'].map((network) => enqueue('a', network, network))
  const outcomes = Promise.allSettled([...flood, ...others])
  await finish()
  const kept = (await outcomes).map(({ status }) => status === 'fulfilled')
  // The first runs, four wait, and the queue rejects the sixth. Three of the waiting requests are rejected for the
  // other networks.
  expect(kept).toEqual([true, true, false, false, false, false, true, true, true])
  expect(started).toEqual(['flood 0', 'flood 1', 'p', 'q', 'r'])
})

test.each([
  { waiting: ['x', 'x', 'x', 'y'], rejected: 2 },
  { waiting: ['y', 'x', 'x', 'x'], rejected: 3 },
  { waiting: ['y', 'x', 'x', 'z'], rejected: 2 },
])(
  'of the waiting requests $waiting, a new network replaces the last of x',
  async ({ waiting, rejected }) => {
    const { enqueue, finish } = controlledQueue(4)
    const running = enqueue('a', 'first', 'first')
    const others = [...waiting, 'new'].map((network) => enqueue('a', network, network))
    const outcomes = Promise.allSettled([running, ...others])
    await finish()
    const kept = (await outcomes).slice(1).map(({ status }) => status === 'fulfilled')
    expect(kept).toEqual([...waiting, 'new'].map((_, index) => index !== rejected))
  },
)

test.each([
  { waiting: ['x', 'x', 'x', 'y'], asks: 'x' },
  { waiting: ['x', 'x', 'y', 'z'], asks: 'y' },
  { waiting: ['x', 'x', 'y', 'y'], asks: 'x' },
  { waiting: ['x', 'y', 'z', 'u'], asks: 'v' },
])('of the waiting requests $waiting, another of $asks replaces none', async ({ waiting, asks }) => {
  const { enqueue, finish } = controlledQueue(4)
  const running = enqueue('a', 'first', 'first')
  const others = waiting.map((network) => enqueue('a', network, network))
  await expect(enqueue('a', asks, asks)).rejects.toThrow('full')
  await finish()
  expect(await Promise.all([running, ...others])).toEqual(['first', ...waiting])
})

test('work that fails hands its slot to the next', async () => {
  const queue = fairQueue<'a'>({ parallel: 1, maxWaiting: 10, full: () => new Error('full') })
  const entry = { queue: 'a', network: 'n' } as const
  const failed = queue.run(entry, () => Promise.reject(new Error('broken')))
  const next = queue.run(entry, () => Promise.resolve('done'))
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('done')
  expect(await queue.run(entry, () => Promise.resolve('again'))).toBe('again')
})
