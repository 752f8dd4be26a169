import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../../test/support/clocks/manual-clock.ts'
import { manualMachine } from '../../../test/support/clocks/manual-machine.ts'
import { openDatabaseClock, requireTrusted, WrongClockError, type DatabaseClock } from './database-clock.ts'

const start = Date.UTC(2026, 0, 1)
const minute = 60_000

/** A machine and a database with separate clocks. */
function testClocks(offset = 0) {
  const machine = manualMachine(start)
  machine.set(offset)
  const real = () => machine.monotonic() - 0.25 + start
  let databaseAhead = 0
  let requestTime = 0
  let responseTime = 0
  let reads = 0
  let isDisconnected = false
  const lines: string[] = []
  const parts = () => ({
    machine,
    log: pino({}, { write: (line) => lines.push(line) }),
    read: () => {
      reads += 1
      if (isDisconnected) return Promise.reject(new Error('unavailable'))
      machine.advance(requestTime)
      const time = real() + databaseAhead
      machine.advance(responseTime)
      return Promise.resolve(Math.floor(time))
    },
  })
  return {
    parts: parts(),
    onSqlite: { ...parts(), read: () => Promise.resolve(null) },
    advance: (ms: number) => {
      machine.advance(ms)
    },
    setMachine: (ahead: number) => {
      machine.set(ahead)
    },
    setDatabase: (ahead: number) => (databaseAhead = ahead),
    slowDown: (ms: number) => {
      requestTime = ms / 2
      responseTime = ms / 2
    },
    slowDownResponses: (ms: number) => (responseTime = ms),
    time: () => real() + databaseAhead,
    reads: () => reads,
    disconnect: () => (isDisconnected = true),
    /** The seconds in the log, line by line. */
    logged: (key: string) =>
      lines
        .map((line) => (JSON.parse(line) as Record<string, unknown>)[key])
        .filter((value) => value !== undefined),
    messages: () => lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg),
  }
}

describe('the time of the database', () => {
  let world: ReturnType<typeof testClocks>
  let clock: DatabaseClock
  const open = async (offset: number) => {
    world = testClocks(offset)
    clock = await openDatabaseClock(world.parts)
  }
  beforeEach(() => open(0))
  const expectRight = (ms = 1) => {
    expect(Math.abs(clock.clock.now() - world.time())).toBeLessThanOrEqual(ms)
  }

  test.each([0, 29_000, -29_000])('replaces a machine clock that is off by %i ms', async (offset) => {
    await open(offset)
    world.advance(10 * minute)
    expectRight()
    expect([clock.offset(), clock.isTrusted()]).toEqual([expect.closeTo(offset, -1), true])
    expect(await clock.steadyTime()).toBe(clock.clock.now())
    expect(world.logged('clockOffsetSeconds')).toEqual([])
    requireTrusted(clock)
  })

  test('agrees with a machine clock up to a measured difference of 30 s', async () => {
    await open(30_001)
    expect([clock.offset(), clock.isTrusted()]).toEqual([30_000, true])
    await open(30_002)
    expect([clock.offset(), clock.isTrusted()]).toEqual([30_001, false])
  })

  test('repeats work at an interval of the machine', () => {
    let runs = 0
    const stop = clock.clock.every(minute, () => (runs += 1))
    world.advance(2 * minute)
    stop()
    world.advance(minute)
    expect(runs).toBe(2)
  })

  test.each([300_000, -300_000])(
    'is correct on a machine that is off by %i ms; nothing is deleted then',
    async (offset) => {
      await open(offset)
      expectRight()
      expect(await clock.steadyTime()).not.toBeNull()
      expect(clock.isTrusted()).toBe(false)
      expect(() => {
        requireTrusted(clock)
      }).toThrow(offset > 0 ? '300 s ahead of that of the database' : '300 s behind that of the database')
    },
  )

  test('is logged as different at most once a minute, and as equal again', async () => {
    await open(300_000)
    for (let passed = 0; passed <= 2 * minute; passed += 10_000) {
      await clock.measure()
      world.advance(10_000)
    }
    expect(world.logged('clockOffsetSeconds')).toEqual([300, 300, 300])
    world.setMachine(0)
    await clock.measure()
    await clock.measure()
    expect(world.logged('clockOffsetSeconds')).toEqual([300, 300, 300, 0])
    expect(new Set(world.messages())).toEqual(
      new Set([
        'the clocks of machine and database differ: cleanup is paused here; synchronise both (NTP)',
        'the clocks of machine and database agree again',
      ]),
    )
    expect(clock.isTrusted()).toBe(true)
  })

  test('does not follow a change of the machine’s clock', async () => {
    world.setMachine(300_000)
    expectRight()
    expect(clock.isTrusted()).toBe(false)
    await clock.measure()
    expectRight()
  })

  test('is accurate enough after a slow response, and more accurate after the next one', async () => {
    world = testClocks()
    world.slowDown(8_000)
    clock = await openDatabaseClock(world.parts)
    expectRight(4_001)
    world.slowDown(20_000)
    await clock.measure()
    expectRight(4_001)
    world.slowDown(2)
    await clock.measure()
    expectRight(3)
    expect(world.logged('stepSeconds')).toEqual([])
  })

  test('is accurate although the database drops fractions of a millisecond', async () => {
    world = testClocks()
    world.setDatabase(0.75)
    clock = await openDatabaseClock(world.parts)
    expectRight(0.5)
  })

  test('is not less accurate after a slow response than before', async () => {
    world.slowDownResponses(8_000)
    await clock.measure()
    expectRight()
  })

  test.each([300_000, -300_000])(
    'jumps by %i ms: leases are checked again when all instances had time to renew them',
    async (step) => {
      world.advance(minute)
      world.setDatabase(step)
      expect(await clock.steadyTime()).toBeNull()
      expect(world.logged('stepSeconds')).toEqual([step / 1000])
      expect(world.messages()).toContain(
        'the time of the database jumped: leases are not checked for two minutes',
      )
      world.setMachine(step)
      expectRight()
      world.advance(2 * minute - 1)
      expect([await clock.steadyTime(), clock.isTrusted()]).toEqual([null, false])
      world.advance(1)
      expect([await clock.steadyTime(), clock.isTrusted()]).toEqual([clock.clock.now(), true])
    },
  )

  test('is read once for parallel requests, and again a second later', async () => {
    await Promise.all([clock.steadyTime(), clock.steadyTime()])
    expect(world.reads()).toBe(1)
    world.advance(1_000)
    await Promise.all([clock.steadyTime(), clock.steadyTime()])
    expect(world.reads()).toBe(2)
    world.advance(999)
    await clock.steadyTime()
    expect(world.reads()).toBe(2)
  })

  test('cannot be read: waiting requests fail, and time continues', async () => {
    world.disconnect()
    world.advance(minute)
    await expect(clock.steadyTime()).rejects.toThrow('unavailable')
    expectRight()
  })
})

test.each([300_000, -300_000])(
  'without a clock in the database, a change of the machine’s clock by %i ms is noticed and followed',
  async (change) => {
    const world = testClocks()
    const clock = await openDatabaseClock(world.onSqlite)
    expect(clock.clock.now()).toBe(start)
    world.advance(minute)
    world.setMachine(change)
    expect(clock.isTrusted()).toBe(false)
    expect(await clock.steadyTime()).toBeNull()
    expect(clock.clock.now()).toBe(start + minute + change)
    world.advance(2 * minute)
    expect([await clock.steadyTime(), clock.isTrusted()]).toEqual([clock.clock.now(), true])
  },
)

test('a clock without monotonic time is that of the database, too', async () => {
  const machine = manualClock(start)
  const { parts, reads } = testClocks()
  const clock = await openDatabaseClock({ ...parts, machine })
  machine.advance(minute)
  await clock.measure()
  expect([clock.clock.now(), clock.durations.now(), await clock.steadyTime()]).toEqual(
    Array(3).fill(start + minute),
  )
  expect([clock.offset(), clock.isTrusted(), reads()]).toEqual([0, true, 0])
})

test('the error of a wrong clock has a name and the offset', () => {
  const { name, message } = new WrongClockError(-300_000)
  expect([name, message]).toEqual([
    'WrongClockError',
    'the clock of this machine is 300 s behind that of the database: cleanup is paused; synchronise both (NTP)',
  ])
})
