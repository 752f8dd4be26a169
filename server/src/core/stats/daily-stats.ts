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
  dailyCounterNames,
  dayOf,
  daysAfter,
  daysFrom,
  optionFigure,
  sizeFigure,
  ttlFigure,
  type DailyCounterName,
} from '../../domain/limits/daily-counters.ts'
import { invalidRequest } from '../../domain/errors.ts'
import type { DailyCounter } from '../../metadata/stats/daily-counters.ts'
import type { Service } from '../service.ts'

interface Days {
  readonly from: string
  readonly to: string
}

/**
 * What happened on each of some days, with all that this process knows; others add theirs within a minute.
 * @param asked days such as 2026-11-21, in UTC
 * @throws ServiceError `invalid_request` when there are no such days, or too many
 */
export async function dailyStats(
  { store, clock, dailyCounters: daily }: Pick<Service, 'store' | 'clock' | 'dailyCounters'>,
  asked: Partial<Days>,
): Promise<DailyStats> {
  const { from, to } = daysOf(asked, dayOf(clock.now()))
  await daily.write()
  const rows = await store.dailyFigures.ofDays(from, to, dailyCounterNames)
  const sums = await store.dailyFigures.sums(from, to, dailyCounterNames)
  const sumOf = (name: string) => sums.get(name) ?? 0
  return {
    days: everyDay({ from, to }, rows),
    fileSizes: fileSizeClasses.map((below) => ({ below, files: sumOf(sizeFigure(below)) })),
    ttls: ttlClasses.map((atMost) => ({ atMost, uploads: sumOf(ttlFigure(atMost)) })),
    options: Object.fromEntries(
      countedOptions.map((option) => [option, sumOf(optionFigure(option))]),
    ) as Record<CountedOption, number>,
  }
}

function daysOf(asked: Partial<Days>, today: string): Days {
  const to = asked.to ?? today
  const from = asked.from ?? daysAfter(to, 1 - limits.dailyStatsDefault)
  if (from > to) throw invalidRequest(`from (${from}) must not be after to (${to})`)
  if (daysFrom(from, to) > limits.dailyStatsMax)
    throw invalidRequest(`at most ${String(limits.dailyStatsMax)} days can be asked for at once`)
  return { from, to }
}

/** Days on which nothing happened are told, too. */
function everyDay({ from, to }: Days, rows: readonly DailyCounter[]): DayStats[] {
  const byDay = Map.groupBy(rows, ({ day }) => day)
  return Array.from({ length: daysFrom(from, to) }, (_, index) => {
    const day = daysAfter(from, index)
    const figures = Object.fromEntries(dailyCounterNames.map((name) => [name, 0])) as Record<
      DailyCounterName,
      number
    >
    for (const { name, value } of byDay.get(day) ?? []) figures[name as DailyCounterName] = value
    return { day, ...figures }
  })
}
