import { expect, test } from 'vitest'
import { freeSpaceGuard } from './free-space.ts'

const guardOf = (free: number) => {
  let now = 0
  const database = { isUnavailable: false, announced: new Map<string, number>() }
  const clock = { now: () => now, every: () => () => undefined }
  const guard = freeSpaceGuard({
    data: { freeSpace: () => Promise.resolve(free) },
    minFreeSpace: 100,
    clock,
    announcedElsewhere: () =>
      database.isUnavailable ? Promise.reject(new Error('no database')) : Promise.resolve(database.announced),
  })
  return { guard, database, advance: (milliseconds: number) => (now += milliseconds) }
}

const fulfilled = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length

test('announcements that share a measurement do not share its space', async () => {
  const { guard } = guardOf(110)
  const announced = await Promise.allSettled(Array.from({ length: 200 }, () => guard.announce('a', 1)))
  expect(fulfilled(announced)).toBe(10)
})

test('bytes of unknown length that share a measurement do not share its space', async () => {
  const { guard, advance } = guardOf(110)
  async function* oneByte() {
    yield await Promise.resolve(new Uint8Array(1))
  }
  const spaces = await Promise.all(Array.from({ length: 200 }, () => guard.announce('a', 0)))
  advance(1_000)
  const received = await Promise.allSettled(spaces.map((space) => Array.fromAsync(space.guard(oneByte()))))
  expect(fulfilled(received)).toBe(10)
})

test('recorded bytes count until the next measurement, once, however many requests wait for it', async () => {
  const { guard, advance } = guardOf(110)
  const spaces = await Promise.all(Array.from({ length: 8 }, () => guard.announce('a', 1)))
  advance(1_000)
  await Promise.all(Array.from({ length: 5 }, () => guard.announce('b', 0)))
  for (const space of spaces) space.persisted()
  await expect(guard.announce('a', 3)).rejects.toMatchObject({ code: 'no_space' })
  advance(1_000)
  // The database of this test has none of them.
  const announced = await Promise.allSettled(Array.from({ length: 30 }, () => guard.announce('a', 1)))
  expect(fulfilled(announced)).toBe(10)
})

test('while the database is unavailable, bytes of others count as they were measured last', async () => {
  const { guard, database, advance } = guardOf(180)
  database.announced.set('others', 10)
  const space = await guard.announce('a', 0)
  database.isUnavailable = true
  advance(1_000)
  async function* bytes(length: number) {
    yield await Promise.resolve(new Uint8Array(length))
  }
  expect(await Array.fromAsync(space.guard(bytes(70)))).toHaveLength(1)
  await expect(Array.fromAsync(space.guard(bytes(1)))).rejects.toMatchObject({ code: 'no_space' })
})

test('without any measurement of others, the error of the database is reported', async () => {
  const { guard, database } = guardOf(180)
  database.isUnavailable = true
  await expect(guard.announce('a', 0)).rejects.toThrow('no database')
})
