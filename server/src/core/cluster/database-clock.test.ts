import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { manualMachine } from '../../../test/support/manual-machine.ts'
import { openDatabaseClock, requireTrusted, type DatabaseClock } from './database-clock.ts'

const start = Date.UTC(2026, 0, 1)
const minute = 60_000

/** A machine and a database, each with a clock of its own. */
function surroundings(offset = 0) {
  const machine = manualMachine(start)
  machine.set(offset)
  const real = () => machine.monotonic() - 0.25 + start
  let databaseAhead = 0
  let answerTakes = 0
  let asked = 0
  let isAway = false
  const lines: string[] = []
  const told = () => ({
    machine,
    log: pino({}, { write: (line) => lines.push(line) }),
    read: () => {
      asked += 1
      if (isAway) return Promise.reject(new Error('away'))
      machine.advance(answerTakes / 2)
      const time = real() + databaseAhead
      machine.advance(answerTakes / 2)
      return Promise.resolve(time)
    },
  })
  return {
    parts: told(),
    onSqlite: { ...told(), read: () => Promise.resolve(null) },
    advance: (ms: number) => {
      machine.advance(ms)
    },
    setMachine: (ahead: number) => {
      machine.set(ahead)
    },
    setDatabase: (ahead: number) => (databaseAhead = ahead),
    slowDown: (ms: number) => (answerTakes = ms),
    time: () => real() + databaseAhead,
    asked: () => asked,
    takeAway: () => (isAway = true),
    /** Seconds that the log tells, line by line. */
    logged: (key: string) =>
      lines
        .map((line) => (JSON.parse(line) as Record<string, unknown>)[key])
        .filter((value) => value !== undefined),
  }
}

describe('the time of the database', () => {
  let world: ReturnType<typeof surroundings>
  let clock: DatabaseClock
  const open = async (offset: number) => {
    world = surroundings(offset)
    clock = await openDatabaseClock(world.parts)
  }
  beforeEach(() => open(0))
  const expectRight = (ms = 1) => {
    expect(Math.abs(clock.clock.now() - world.time())).toBeLessThanOrEqual(ms)
  }

  test.each([0, 29_000, -29_000])('is what a machine goes by whose own is off by %i ms', async (offset) => {
    await open(offset)
    world.advance(10 * minute)
    expectRight()
    expect([clock.offset(), clock.isTrusted()]).toEqual([expect.closeTo(offset, -1), true])
    expect(await clock.judgement()).toBe(clock.clock.now())
    expect(world.logged('clockOffsetSeconds')).toEqual([])
  })

  test.each([300_000, -300_000])(
    'is right where that is off by %i ms; nothing is deleted then',
    async (offset) => {
      await open(offset)
      expectRight()
      expect(await clock.judgement()).not.toBeNull()
      expect(clock.isTrusted()).toBe(false)
      expect(() => {
        requireTrusted(clock)
      }).toThrow(offset > 0 ? '300 s ahead of that of the database' : '300 s behind that of the database')
    },
  )

  test('is told to be another at most once a minute, and that it is so no more', async () => {
    await open(300_000)
    for (let passed = 0; passed < 3 * minute; passed += 10_000) {
      await clock.measure()
      world.advance(10_000)
    }
    expect(world.logged('clockOffsetSeconds')).toEqual([300, 300, 300])
    world.setMachine(0)
    await clock.measure()
    await clock.measure()
    expect(world.logged('clockOffsetSeconds')).toEqual([300, 300, 300, 0])
    expect(clock.isTrusted()).toBe(true)
  })

  test('does not follow the machine’s clock as that is set', async () => {
    world.setMachine(300_000)
    expectRight()
    expect(clock.isTrusted()).toBe(false)
    await clock.measure()
    expectRight()
  })

  test('is known well enough after an answer that took long, and better after the next', async () => {
    world = surroundings()
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

  test.each([300_000, -300_000])(
    'is set by %i ms: leases are judged again when all had time to renew theirs',
    async (step) => {
      world.advance(minute)
      world.setDatabase(step)
      expect(await clock.judgement()).toBeNull()
      expect(world.logged('stepSeconds')).toEqual([step / 1000])
      world.setMachine(step)
      expectRight()
      world.advance(2 * minute - 1)
      expect([await clock.judgement(), clock.isTrusted()]).toEqual([null, false])
      world.advance(1)
      expect([await clock.judgement(), clock.isTrusted()]).toEqual([clock.clock.now(), true])
    },
  )

  test('is asked for once by those who come at once, and again a second later', async () => {
    await Promise.all([clock.judgement(), clock.judgement()])
    expect(world.asked()).toBe(1)
    world.advance(1_000)
    await Promise.all([clock.judgement(), clock.judgement()])
    expect(world.asked()).toBe(2)
  })

  test('cannot be asked for: what waits for it fails, and time goes on', async () => {
    world.takeAway()
    world.advance(minute)
    await expect(clock.judgement()).rejects.toThrow('away')
    expectRight()
  })
})

test('where the database has no clock, the machine’s being set is noticed, and followed', async () => {
  const world = surroundings()
  const clock = await openDatabaseClock(world.onSqlite)
  expect(clock.clock.now()).toBe(start)
  world.advance(minute)
  world.setMachine(300_000)
  expect(clock.isTrusted()).toBe(false)
  expect(await clock.judgement()).toBeNull()
  expect(clock.clock.now()).toBe(start + minute + 300_000)
  world.advance(2 * minute)
  expect([await clock.judgement(), clock.isTrusted()]).toEqual([clock.clock.now(), true])
})
