import { expect, test } from 'vitest'
import { manualClock } from '../../../test/support/clocks/manual-clock.ts'
import { DatabaseError } from '../../metadata/dialects/errors.ts'
import type { BudgetRow } from '../../metadata/accounts/budgets.ts'
import { budgets, scheduleBudgets } from './budgets.ts'

const hourMs = 60 * 60_000

/** Instances that share a table, which is unavailable while `failure` is set. */
function sharing() {
  const table = new Map<string, number>()
  const state = {
    now: 100 * hourMs,
    writes: 0,
    rows: [] as BudgetRow[],
    failure: undefined as 'lost' | 'undecided' | undefined,
    /** Runs during a write. */
    meanwhile: () => {},
  }
  const logged: unknown[] = []
  const newInstance = () =>
    budgets({
      limits: {
        uploads: 10,
        files: Infinity,
        bytes: 1_000,
        cliCodes: 1,
        passwordUploads: 1,
        qrCodes: 1,
      },
      clock: { now: () => state.now, every: () => () => undefined },
      log: {
        warn: (...entry: readonly unknown[]) => {
          logged.push(entry)
        },
      },
      shared: {
        add(rows: readonly BudgetRow[]) {
          if (state.failure !== undefined)
            return Promise.reject(new DatabaseError(state.failure, new Error('unavailable')))
          state.writes += 1
          state.rows.push(...rows)
          state.meanwhile()
          for (const { key, used } of rows) table.set(key, (table.get(key) ?? 0) + used)
          return Promise.resolve()
        },
        totals: (keys) => Promise.resolve(keys.map((key) => ({ key, used: table.get(key) ?? 0 }))),
      },
    })
  return { newInstance, state, table, logged }
}

async function* chunksOf(...sizes: readonly number[]) {
  await Promise.resolve()
  for (const size of sizes) yield new Uint8Array(size)
}
const drain = async (chunks: AsyncIterable<Uint8Array>) => {
  let size = 0
  for await (const chunk of chunks) size += chunk.length
  return size
}
const reached = expect.objectContaining({ code: 'budget_reached', status: 429 }) as Error

test('each network has a limit until the next hour begins', () => {
  const { newInstance, state } = sharing()
  const { spend, exceeded } = newInstance()
  state.now += hourMs - 90_000
  for (let n = 0; n < 10; n += 1) spend('a', 'uploads')
  expect(() => {
    spend('a', 'uploads')
  }).toThrow(expect.objectContaining({ headers: { 'retry-after': '90' } }) as Error)
  spend('b', 'uploads')
  for (let n = 0; n < 100; n += 1) {
    spend(null, 'uploads')
    spend('a', 'files', 1e9)
  }
  state.now += 90_000
  spend('a', 'uploads')
  expect(exceeded()).toMatchObject({ uploads: 1, files: 0 })
})

test('nothing is written before the interval ends, and then everything at once', async () => {
  const { newInstance, state, table } = sharing()
  const { spend, write } = newInstance()
  for (let n = 0; n < 300; n += 1) spend(`network ${String(n)}`, 'uploads', 2)
  expect(state.writes).toBe(0)
  await write()
  expect([state.writes, table.size, [...table.values()].every((used) => used === 2)]).toEqual([1, 300, true])
  await write()
  expect(state.writes).toBe(1)
})

test('a write has at most 500 rows', async () => {
  const { newInstance, state, table } = sharing()
  const { spend, write } = newInstance()
  for (let n = 0; n < 1_001; n += 1) spend(`network ${String(n)}`, 'uploads')
  await write()
  expect([state.writes, state.rows.length, table.size]).toEqual([3, 1_001, 1_001])
})

test('rows have the end of the hour and a digest; budgets without a limit have no row', async () => {
  const { newInstance, state } = sharing()
  const { spend, write } = newInstance()
  state.now += 90_000
  spend('network 192.0.2.1', 'uploads', 3)
  spend('network 192.0.2.1', 'files', 3)
  await write()
  expect(state.rows).toEqual([
    { key: expect.stringMatching(/^[\w-]{43}$/) as string, used: 3, until: 101 * hourMs },
  ])
})

test('usage during a write counts, and is written with the next one', async () => {
  const { newInstance, state, table } = sharing()
  const { spend, write } = newInstance()
  spend('a', 'uploads', 4)
  state.meanwhile = () => {
    spend('a', 'uploads', 3)
  }
  await write()
  state.meanwhile = () => {}
  expect([...table.values()]).toEqual([4])
  expect(() => {
    spend('a', 'uploads', 4)
  }).toThrow(reached)
  await write()
  expect([...table.values()]).toEqual([7])
})

test('above 100,000 counts, the oldest half is forgotten when it is written', async () => {
  const { newInstance } = sharing()
  const { spend, write } = newInstance()
  for (let n = 0; n < 100_000; n += 1) spend(String(n), 'uploads', 10)
  await write()
  const canSpend = (n: number) => {
    try {
      spend(String(n), 'uploads')
      return true
    } catch {
      return false
    }
  }
  expect(canSpend(0)).toBe(false)
  spend('one more', 'uploads')
  await write()
  expect([canSpend(50_000), canSpend(50_001)]).toEqual([true, false])
})

test('counts are not forgotten before they are written', async () => {
  const { newInstance, state, table } = sharing()
  const { spend, write } = newInstance()
  for (let n = 0; n < 100_001; n += 1) spend(String(n), 'uploads')
  state.failure = 'lost'
  await write()
  state.failure = undefined
  await write()
  expect(table.size).toBe(100_001)
})

test('instances share their usage after their writes, and with a new instance', async () => {
  const { newInstance } = sharing()
  const [one, other] = [newInstance(), newInstance()]
  one.spend('a', 'uploads', 6)
  other.spend('a', 'uploads', 3)
  await one.write()
  await other.write()
  expect(() => {
    other.spend('a', 'uploads', 2)
  }).toThrow(reached)
  other.spend('a', 'uploads')
  await other.write()
  const later = newInstance()
  later.spend('a', 'uploads')
  await later.write()
  expect(() => {
    later.spend('a', 'uploads')
  }).toThrow(reached)
})

test('an outage of the database loses nothing, and an undecided write is not repeated', async () => {
  const { newInstance, state, table, logged } = sharing()
  const { spend, write } = newInstance()
  spend('a', 'uploads', 4)
  state.failure = 'lost'
  await write()
  state.failure = undefined
  await write()
  expect([...table.values()]).toEqual([4])
  spend('a', 'uploads', 2)
  state.failure = 'undecided'
  await write()
  state.failure = undefined
  await write()
  expect([...table.values()]).toEqual([4])
  expect(logged).toEqual(
    Array(2).fill([{ err: expect.any(DatabaseError) as Error }, 'the usage of budgets could not be written']),
  )
})

test('announced bytes are used at once, and returned if they do not arrive', async () => {
  const { newInstance } = sharing()
  const { receive, spend } = newInstance()
  const first = receive('a', 600)
  expect(() => receive('a', 500)).toThrow(reached)
  expect(await drain(first.cover(chunksOf(100, 50)))).toBe(150)
  first.end()
  first.end()
  const second = receive('a', 500)
  expect(await drain(second.cover(chunksOf(500, 350)))).toBe(850)
  second.end()
  expect(() => {
    spend('a', 'bytes')
  }).toThrow(reached)
})

test('bytes of unknown length end at the budget; a large file passes as the first of its hour', async () => {
  const { newInstance, state } = sharing()
  const { receive } = newInstance()
  await expect(drain(receive('a', 0).cover(chunksOf(600, 400, 1)))).rejects.toThrow(reached)
  state.now += hourMs
  expect(await drain(receive('a', 5_000).cover(chunksOf(5_000)))).toBe(5_000)
  expect(() => receive('a', 1)).toThrow(reached)
})

test('bytes of a file above the whole budget can be returned', async () => {
  const { newInstance, table } = sharing()
  const { receive, write } = newInstance()
  const large = receive('a', 5_000)
  expect(await drain(large.cover(chunksOf(3_000)))).toBe(3_000)
  large.end()
  await write()
  expect([...table.values()]).toEqual([3_000])
})

test('bytes that are returned in the next hour do not increase its budget', async () => {
  const { newInstance, state, table } = sharing()
  const { receive, write } = newInstance()
  const started = receive('a', 900)
  state.now += hourMs
  started.end()
  await write()
  expect([...table.values()].every((used) => used >= 0)).toBe(true)
  receive('a', 1_000)
  expect(() => receive('a', 1)).toThrow(reached)
})

test('the log has at most one line a minute for any number of errors', () => {
  const { newInstance, state, logged } = sharing()
  const { spend, exceeded } = newInstance()
  const exceed = () => {
    for (let n = 0; n < 50; n += 1)
      try {
        spend('network 192.0.2.1', 'qrCodes')
      } catch {
        // The error is counted.
      }
  }
  exceed()
  state.now += 59_999
  exceed()
  expect(logged).toEqual([
    [{ budget: 'qrCodes', budgetKey: 'network 192.0.2.1', limit: 1 }, 'a budget is used up'],
  ])
  state.now += 1
  exceed()
  expect(logged).toHaveLength(2)
  expect(exceeded().qrCodes).toBe(149)
})

test('usage is written every five seconds, and at the end', async () => {
  const clock = manualClock()
  let writes = 0
  const stop = scheduleBudgets(clock, {
    write: () => {
      writes += 1
      return Promise.resolve()
    },
  })
  clock.advance(4_999)
  expect(writes).toBe(0)
  clock.advance(5_001)
  expect(writes).toBe(2)
  await stop()
  expect(writes).toBe(3)
  clock.advance(60_000)
  expect(writes).toBe(3)
})
