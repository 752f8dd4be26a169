import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { queryValue } from '../../base/query-value.ts'

/** Selectable numbers of days, up to today. */
export const periods = [7, 30, 90, 365] as const
export type Period = (typeof periods)[number]

const usual: Period = 30

/** The period of an address; the default for unknown values. */
export function readPeriod(query: LocationQuery): Period {
  const written = queryValue(query['days'])
  return periods.find((days) => String(days) === written) ?? usual
}

export const periodRouteQuery = (days: Period): LocationQueryRaw =>
  days === usual ? {} : { days: String(days) }

/**
 * The first day of a period, in UTC: 2026-11-21.
 * @param now ms since the epoch
 */
export const firstDay = (days: Period, now: number): string =>
  new Date(now - (days - 1) * 86_400_000).toISOString().slice(0, 10)
