import {
  countedOptions,
  fileSizeClasses,
  limits,
  ttlClasses,
  type CountedOption,
  type DailyStats,
  type DayStats,
} from '@svc/contract'
import {
  dailyStatNames,
  dayOf,
  daysAfter,
  daysFrom,
  optionStat,
  sizeStat,
  ttlStat,
  type DailyStatName,
} from '../../domain/limits/daily-stats.ts'
import { invalidRequest } from '../../domain/errors.ts'
import type { DailyStat } from '../../metadata/stats/daily-stats.ts'
import type { Service } from '../service.ts'

interface Days {
  readonly from: string
  readonly to: string
}

/**
 * The stats of a range of days. They include all counts of this instance, and those of others except the last minute.
 * @param range days such as 2026-11-21, in UTC
 * @throws ServiceError `invalid_request` when the range is invalid or too long
 */
export async function readDailyStats(
  { store, clock, dailyStats }: Pick<Service, 'store' | 'clock' | 'dailyStats'>,
  range: Partial<Days>,
): Promise<DailyStats> {
  const { from, to } = daysOf(range, dayOf(clock.now()))
  await dailyStats.write()
  const rows = await store.dailyStats.ofDays(from, to, dailyStatNames)
  const sums = await store.dailyStats.sums(from, to, dailyStatNames)
  const sumOf = (name: string) => sums.get(name) ?? 0
  return {
    days: everyDay({ from, to }, rows),
    fileSizes: fileSizeClasses.map((below) => ({ below, files: sumOf(sizeStat(below)) })),
    ttls: ttlClasses.map((atMost) => ({ atMost, uploads: sumOf(ttlStat(atMost)) })),
    options: Object.fromEntries(
      countedOptions.map((option) => [option, sumOf(optionStat(option))]),
    ) as Record<CountedOption, number>,
  }
}

function daysOf(range: Partial<Days>, today: string): Days {
  const to = range.to ?? today
  const from = range.from ?? daysAfter(to, 1 - limits.dailyStatsDefault)
  if (from > to) throw invalidRequest(`from (${from}) must not be after to (${to})`)
  if (daysFrom(from, to) > limits.dailyStatsMax)
    throw invalidRequest(`at most ${String(limits.dailyStatsMax)} days can be asked for at once`)
  return { from, to }
}

/** Days without events are included. */
function everyDay({ from, to }: Days, rows: readonly DailyStat[]): DayStats[] {
  const byDay = Map.groupBy(rows, ({ day }) => day)
  return Array.from({ length: daysFrom(from, to) }, (_, index) => {
    const day = daysAfter(from, index)
    const counters = Object.fromEntries(dailyStatNames.map((name) => [name, 0])) as Record<
      DailyStatName,
      number
    >
    for (const { name, value } of byDay.get(day) ?? []) counters[name as DailyStatName] = value
    return { day, ...counters }
  })
}
