import { fileSizeClasses, ttlClasses, type CountedOption, type DayStats } from '@svc/contract'
import type { UploadRecord } from '../records.ts'
import { optionsIn, type FilteredOption } from './upload-options.ts'

/** Figures that are told of each day. */
export const dailyCounterNames = [
  'uploads',
  'files',
  'downloads',
  'bytesIn',
  'bytesOut',
] as const satisfies readonly (keyof DayStats)[]
export type DailyCounterName = (typeof dailyCounterNames)[number]

/** Days that daily figures are kept for: more than a year can be looked back. */
export const keptDays = 400

export const dayMs = 86_400_000

/** The day of a moment, in UTC: 2026-11-21. @param time ms since the epoch */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Milliseconds since the epoch at which a day begins. */
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

export const daysAfter = (day: string, count: number): string => dayOf(startOf(day) + count * dayMs)

/** How many days there are from one to another, those included. */
export const daysFrom = (from: string, to: string): number => (startOf(to) - startOf(from)) / dayMs + 1

/** Names under which figures are kept: a class is named by its end, so that other classes would have other names. */
export const sizeFigure = (below: number | null): string => `size:${String(below ?? 'more')}`
export const ttlFigure = (atMost: number | null): string => `ttl:${String(atMost ?? 'more')}`
export const optionFigure = (option: CountedOption): string => `option:${option}`

const counted: Readonly<Record<FilteredOption, CountedOption>> = {
  oneShot: 'oneShot',
  removable: 'removable',
  stream: 'stream',
  extendTtl: 'extendTTL',
  password: 'password',
  e2ee: 'e2ee',
}

/** The figures that a new upload counts in, once each. */
export function figuresOfUpload({ ttl, options }: Pick<UploadRecord, 'ttl' | 'options'>): readonly string[] {
  const atMost = ttlClasses.find((end) => end === null || (ttl >= 0 && ttl <= end)) ?? null
  return [
    'uploads' satisfies DailyCounterName,
    ttlFigure(atMost),
    ...optionsIn(options).map((option) => optionFigure(counted[option])),
  ]
}

/** The class of a file's size. @param size bytes */
export const sizeFigureOf = (size: number): string =>
  sizeFigure(fileSizeClasses.find((end) => end === null || size < end) ?? null)
