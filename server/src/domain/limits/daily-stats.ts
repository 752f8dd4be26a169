import { fileSizeClasses, ttlClasses, type CountedOption, type DayStats } from '@svc/contract'
import type { UploadRecord } from '../records.ts'
import { optionsIn, type FilteredOption } from './upload-options.ts'

/** The counters that the stats of a day show. */
export const dailyStatNames = [
  'uploads',
  'files',
  'downloads',
  'bytesIn',
  'bytesOut',
] as const satisfies readonly (keyof DayStats)[]
export type DailyStatName = (typeof dailyStatNames)[number]

/** The number of days for which daily stats are stored: more than a year. */
export const retentionDays = 400

export const dayMs = 86_400_000

/**
 * The UTC day of a time, such as 2026-11-21.
 * @param time ms since the epoch
 */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Milliseconds since the epoch at which a day begins. */
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

export const daysAfter = (day: string, count: number): string => dayOf(startOf(day) + count * dayMs)

/** The number of days between two days, both included. */
export const daysFrom = (from: string, to: string): number => (startOf(to) - startOf(from)) / dayMs + 1

/** The names of stored counters. A class is named by its upper bound, so that changed classes have other names. */
export const sizeStat = (below: number | null) => `size:${String(below ?? 'more')}` as const
export const ttlStat = (atMost: number | null) => `ttl:${String(atMost ?? 'more')}` as const
export const optionStat = (option: CountedOption) => `option:${option}` as const
export type StoredStatName =
  DailyStatName | ReturnType<typeof sizeStat> | ReturnType<typeof ttlStat> | ReturnType<typeof optionStat>

const counted: Readonly<Record<FilteredOption, CountedOption>> = {
  oneShot: 'oneShot',
  removable: 'removable',
  stream: 'stream',
  extendTtl: 'extendTTL',
  password: 'password',
  e2ee: 'e2ee',
}

/** The counters that a new upload increases by one. */
export function statsOfUpload({
  ttl,
  options,
}: Pick<UploadRecord, 'ttl' | 'options'>): readonly StoredStatName[] {
  const atMost = ttlClasses.find((end) => end === null || (ttl >= 0 && ttl <= end)) ?? null
  return ['uploads', ttlStat(atMost), ...optionsIn(options).map((option) => optionStat(counted[option]))]
}

/**
 * The counter for the size of a file.
 * @param size bytes
 */
export const sizeStatOf = (size: number) =>
  sizeStat(fileSizeClasses.find((end) => end === null || size < end) ?? null)
