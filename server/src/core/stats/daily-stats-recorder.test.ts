import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { optionBits } from '../../domain/limits/upload-options.ts'
import { DatabaseError, type DatabaseErrorKind } from '../../metadata/dialects/errors.ts'
import type { DailyStat } from '../../metadata/stats/daily-stats.ts'
import { dailyStatsRecorder, scheduleDailyStats } from './daily-stats-recorder.ts'

const noOption = {
  oneShot: false,
  removable: false,
  stream: false,
  extendTtl: false,
  password: false,
  e2ee: false,
}

/** Counters with a manual clock, and everything that they write. */
function counting(failures: Exclude<DatabaseErrorKind, 'other'>[] = []) {
  let now = Date.UTC(2026, 10, 21, 23, 59)
  const written: (readonly DailyStat[])[] = []
  const work = new Set<() => void>()
  const clock = {
    now: () => now,
    every: (_interval: number, due: () => void) => {
      work.add(due)
      return () => work.delete(due)
    },
  }
  const daily = dailyStatsRecorder({
    clock,
    log: { warn: () => undefined },
    add: (counted) => {
      const failure = failures.shift()
      if (failure !== undefined) return Promise.reject(new DatabaseError(failure, new Error('unavailable')))
      written.push(counted)
      return Promise.resolve()
    },
  })
  return {
    daily,
    written,
    midnight: () => {
      now = Date.UTC(2026, 10, 22)
    },
    schedule: () => scheduleDailyStats(clock, daily),
    due: () => {
      for (const job of work) job()
      return work.size
    },
  }
}

const total = (written: readonly (readonly DailyStat[])[]) =>
  Object.fromEntries(
    Map.groupBy(written.flat(), ({ day, name }) => `${day} ${name}`)
      .entries()
      .map(([key, rows]) => [key, rows.reduce((sum, { value }) => sum + value, 0)]),
  )

test('many events of a day are one row for each counter', async () => {
  const { daily, written, midnight } = counting()
  for (let index = 0; index < 1000; index += 1) {
    daily.uploadCreated({ ttl: 3600, options: optionBits({ ...noOption, oneShot: true, e2ee: true }) })
    daily.fileArrived(10)
    daily.sent(7)
  }
  daily.downloaded()
  midnight()
  daily.uploadCreated({ ttl: -1, options: optionBits(noOption) })
  await daily.write()
  expect(written).toHaveLength(1)
  expect(total(written)).toEqual({
    '2026-11-21 uploads': 1000,
    '2026-11-21 ttl:3600': 1000,
    '2026-11-21 option:oneShot': 1000,
    '2026-11-21 option:e2ee': 1000,
    '2026-11-21 files': 1000,
    '2026-11-21 size:100000': 1000,
    '2026-11-21 bytesIn': 10_000,
    '2026-11-21 bytesOut': 7_000,
    '2026-11-21 downloads': 1,
    '2026-11-22 uploads': 1,
    '2026-11-22 ttl:more': 1,
  })
})

test('nothing is written without events, nor twice', async () => {
  const { daily, written } = counting()
  await daily.write()
  daily.sent(0)
  await daily.write()
  expect(written).toEqual([])
  daily.downloaded()
  await Promise.all([daily.write(), daily.write()])
  expect(written).toHaveLength(1)
})

test('an empty file counts as a file without bytes', async () => {
  const { daily, written } = counting()
  daily.fileArrived(0)
  await daily.write()
  expect(total(written)).toEqual({ '2026-11-21 files': 1, '2026-11-21 size:100000': 1 })
})

test('a failed write is repeated under its original day', async () => {
  const { daily, written, midnight } = counting(['refused', 'lost'])
  daily.sent(5)
  await daily.write()
  midnight()
  daily.sent(6)
  await daily.write()
  daily.sent(1)
  await daily.write()
  expect(total(written)).toEqual({ '2026-11-21 bytesOut': 5, '2026-11-22 bytesOut': 7 })
})

test('an undecided write is not repeated', async () => {
  const { daily, written } = counting(['undecided'])
  daily.sent(5)
  await daily.write()
  daily.sent(6)
  await daily.write()
  expect(total(written)).toEqual({ '2026-11-21 bytesOut': 6 })
})

test('counters are written at an interval, and at the end', async () => {
  const { daily, written, schedule, due } = counting()
  const stop = schedule()
  daily.sent(1)
  expect(due()).toBe(1)
  await setImmediate()
  expect(total(written)).toEqual({ '2026-11-21 bytesOut': 1 })
  daily.sent(2)
  await stop()
  expect(total(written)).toEqual({ '2026-11-21 bytesOut': 3 })
  expect(due()).toBe(0)
})
