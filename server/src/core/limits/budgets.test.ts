import { expect, test } from 'vitest'
import { DatabaseError } from '../../metadata/dialects/errors.ts'
import type { BudgetRow } from '../../metadata/accounts/budgets.ts'
import { budgets } from './budgets.ts'

const hourMs = 60 * 60_000

/** Processes that share a table, which is away while `failure` is set. */
function sharing() {
  const table = new Map<string, number>()
  const state = { now: 100 * hourMs, writes: 0, failure: undefined as 'lost' | 'undecided' | undefined }
  const logged: unknown[] = []
  const process = () =>
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
        warn: (...told: readonly unknown[]) => {
          logged.push(told)
        },
      },
      shared: {
        add(rows: readonly BudgetRow[]) {
          if (state.failure !== undefined)
            return Promise.reject(new DatabaseError(state.failure, new Error('away')))
          state.writes += 1
          for (const { key, used } of rows) table.set(key, (table.get(key) ?? 0) + used)
          return Promise.resolve()
        },
        totals: (keys) => Promise.resolve(keys.map((key) => ({ key, used: table.get(key) ?? 0 }))),
      },
    })
  return { process, state, table, logged }
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

test('so much and no more, for each payer, until the next hour begins', () => {
  const { process, state } = sharing()
  const { spend, refusals } = process()
  state.now += hourMs - 90_000
  for (let time = 0; time < 10; time += 1) spend('a', 'uploads')
  expect(() => {
    spend('a', 'uploads')
  }).toThrow(expect.objectContaining({ headers: { 'retry-after': '90' } }) as Error)
  spend('b', 'uploads')
  for (let time = 0; time < 100; time += 1) {
    spend(null, 'uploads')
    spend('a', 'files', 1e9)
  }
  state.now += 90_000
  spend('a', 'uploads')
  expect(refusals()).toMatchObject({ uploads: 1, files: 0 })
})

test('nothing is written before it is time, and then everything at once', async () => {
  const { process, state, table } = sharing()
  const { spend, write } = process()
  for (let payer = 0; payer < 300; payer += 1) spend(`network ${String(payer)}`, 'uploads', 2)
  expect(state.writes).toBe(0)
  await write()
  expect([state.writes, table.size, [...table.values()].every((used) => used === 2)]).toEqual([1, 300, true])
  await write()
  expect(state.writes).toBe(1)
})

test('processes know of each other after their writes, and what is begun anew too', async () => {
  const { process } = sharing()
  const [one, other] = [process(), process()]
  one.spend('a', 'uploads', 6)
  other.spend('a', 'uploads', 3)
  await one.write()
  await other.write()
  expect(() => {
    other.spend('a', 'uploads', 2)
  }).toThrow(reached)
  other.spend('a', 'uploads')
  await other.write()
  const later = process()
  later.spend('a', 'uploads')
  await later.write()
  expect(() => {
    later.spend('a', 'uploads')
  }).toThrow(reached)
})

test('a database that is away loses nothing, and what may have been written is not written twice', async () => {
  const { process, state, table, logged } = sharing()
  const { spend, write } = process()
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
  expect(logged).toHaveLength(2)
})

test('announced bytes are used at once, and given back as far as they do not come', async () => {
  const { process } = sharing()
  const { receive, spend } = process()
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
  const { process, state } = sharing()
  const { receive } = process()
  await expect(drain(receive('a', 0).cover(chunksOf(600, 400, 1)))).rejects.toThrow(reached)
  state.now += hourMs
  expect(await drain(receive('a', 5_000).cover(chunksOf(5_000)))).toBe(5_000)
  expect(() => receive('a', 1)).toThrow(reached)
})

test('what is given back in the next hour gives nothing away', async () => {
  const { process, state, table } = sharing()
  const { receive, write } = process()
  const begun = receive('a', 900)
  state.now += hourMs
  begun.end()
  await write()
  expect([...table.values()].every((used) => used >= 0)).toBe(true)
  receive('a', 1_000)
  expect(() => receive('a', 1)).toThrow(reached)
})

test('the log has a line a minute at most, however many are refused', () => {
  const { process, state, logged } = sharing()
  const { spend, refusals } = process()
  const overdo = () => {
    for (let time = 0; time < 50; time += 1)
      try {
        spend('network 192.0.2.1', 'qrCodes')
      } catch {
        // It is counted.
      }
  }
  overdo()
  state.now += 59_999
  overdo()
  expect(logged).toEqual([
    [{ budget: 'qrCodes', payer: 'network 192.0.2.1', limit: 1 }, 'a budget is used up'],
  ])
  state.now += 1
  overdo()
  expect(logged).toHaveLength(2)
  expect(refusals().qrCodes).toBe(149)
})
