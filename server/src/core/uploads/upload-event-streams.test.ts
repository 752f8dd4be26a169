import { expect, test } from 'vitest'
import type { Clock } from '../../domain/clock.ts'
import { uploadEventStreams } from './upload-event-streams.ts'

const pollMs = 2_000

/** Streams of uploads whose states the test sets. */
function newStreams() {
  let now = 0
  const intervals = new Map<() => void, number>()
  const clock: Clock = {
    now: () => now,
    every: (interval, work) => {
      intervals.set(work, interval)
      return () => intervals.delete(work)
    },
  }
  const states = new Map<string, string>()
  const reads: (readonly string[])[] = []
  const failures: Error[] = []
  const warnings: unknown[] = []
  let readMs = 0
  const streams = uploadEventStreams({
    store: {
      uploads: {
        states: (ids) => {
          reads.push(ids)
          now += readMs
          const failure = failures.shift()
          return failure === undefined ? Promise.resolve(new Map(states)) : Promise.reject(failure)
        },
      },
    },
    clock,
    durations: clock,
    log: { warn: (fields: unknown) => warnings.push(fields) },
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    streams,
    states,
    reads,
    failures,
    warnings,
    timers: () => intervals.size,
    setReadMs: (ms: number) => {
      readMs = ms
    },
    /** Time passes, and what is due at intervals of up to this runs. */
    tick: async (ms = pollMs) => {
      now += ms
      for (const [work, interval] of intervals) if (interval <= ms) work()
      await settled()
    },
    listen: async (uploadIds: readonly string[], network: string | null = null, keepsUp = true) => {
      const sent: string[] = []
      let ends = 0
      let heartbeats = 0
      const close = await streams.open({
        uploadIds,
        network,
        send: (id) => {
          sent.push(id)
          return keepsUp
        },
        heartbeat: () => (heartbeats += 1),
        end: () => (ends += 1),
      })
      return { sent, close, ends: () => ends, heartbeats: () => heartbeats }
    },
  }
}

test('nothing is read, and no timer runs, while no stream is open', async () => {
  const { listen, tick, timers, reads, streams } = newStreams()
  const { close } = await listen(['a'])
  expect([timers(), streams.count()]).toEqual([2, 1])
  close()
  close()
  expect([timers(), streams.count()]).toEqual([0, 0])
  await tick()
  expect(reads).toEqual([['a']])
})

test('a change of a state is one event for each stream that watches it', async () => {
  const { listen, tick, states } = newStreams()
  states.set('a', '1').set('b', '1')
  const first = await listen(['a', 'b'])
  const second = await listen(['b', 'c'])
  await tick()
  states.set('b', '2')
  await tick()
  await tick()
  states.delete('a')
  states.set('c', '1')
  await tick()
  expect([first.sent, second.sent]).toEqual([
    ['b', 'a'],
    ['b', 'c'],
  ])
})

test('uploads of other streams are not read at the begin of a stream, and all in one look', async () => {
  const { listen, tick, reads } = newStreams()
  await listen(['a', 'b'])
  const { close } = await listen(['b', 'c', 'c'])
  await tick()
  close()
  await tick()
  expect(reads).toEqual([['a', 'b'], ['c'], ['a', 'b', 'c'], ['a', 'b']])
})

test('many uploads are read in batches of 256', async () => {
  const { listen, tick, reads } = newStreams()
  await listen(Array.from({ length: 257 }, (_, index) => String(index)))
  await tick()
  expect(reads.slice(1).map(({ length }) => length)).toEqual([256, 1])
})

test('after a slow look, the next one waits: looks take at most a tenth of the time', async () => {
  const { listen, tick, reads, setReadMs } = newStreams()
  await listen(['a'])
  setReadMs(1_000)
  for (let ticks = 0; ticks < 5; ticks++) await tick()
  expect(reads).toHaveLength(2)
  await tick()
  expect(reads).toHaveLength(3)
})

test('after a look that took minutes, the next one follows within 30 seconds', async () => {
  const { listen, tick, reads, setReadMs } = newStreams()
  await listen(['a'])
  setReadMs(600_000)
  await tick()
  setReadMs(0)
  await tick(29_999)
  expect(reads).toHaveLength(2)
  await tick()
  expect(reads).toHaveLength(3)
})

test('a look that fails is repeated, and no change is lost', async () => {
  const { listen, tick, states, failures, warnings } = newStreams()
  const { sent } = await listen(['a'])
  states.set('a', '1')
  failures.push(new Error('unavailable'))
  await tick()
  expect([sent, warnings]).toEqual([[], [{ err: new Error('unavailable') }]])
  await tick()
  expect(sent).toEqual(['a'])
})

test('a stream that cannot be read at its begin is not open', async () => {
  const { listen, failures, streams } = newStreams()
  failures.push(new Error('unavailable'))
  await expect(listen(['a'])).rejects.toThrow('unavailable')
  expect(streams.count()).toBe(0)
})

test('a stream whose client does not keep up ends, and receives nothing more', async () => {
  const { listen, tick, states, streams } = newStreams()
  const slow = await listen(['a', 'b'], null, false)
  states.set('a', '1').set('b', '1')
  await tick()
  expect([slow.sent, slow.ends(), streams.count()]).toEqual([['a'], 1, 0])
})

test('streams receive a sign every 15 seconds', async () => {
  const { listen, tick } = newStreams()
  const { heartbeats } = await listen(['a'])
  await tick(14_999)
  expect(heartbeats()).toBe(0)
  await tick(15_000)
  expect(heartbeats()).toBe(1)
})

test('a network has 64 streams, and a process 2,000', async () => {
  const { listen, streams } = newStreams()
  const refusal = { code: 'too_many_connections' }
  const [first] = await Promise.all(Array.from({ length: 64 }, () => listen(['a'], 'one')))
  await expect(listen(['a'], 'one')).rejects.toMatchObject(refusal)
  first?.close()
  await listen(['a'], 'one')
  await Promise.all(Array.from({ length: 1_936 }, () => listen(['a'])))
  await expect(listen(['a'])).rejects.toMatchObject(refusal)
  streams.close()
  expect(streams.count()).toBe(0)
})
