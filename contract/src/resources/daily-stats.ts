import * as Type from 'typebox'
import type { Static } from 'typebox'
import { limits } from '../limits.ts'

const count = Type.Integer({ minimum: 0 })
const day = (description: string) => Type.String({ format: 'date', description })
/** An integer or null, as one schema with two types (nullable.ts). */
const bound = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description })

/** What files are sorted into by size: each class ends below one of these bytes, and one has no end. */
export const fileSizeClasses = [1e5, 1e6, 1e7, 1e8, 1e9, 1e10, null] as const

/** What uploads are sorted into by the TTL they begin with: at most so many seconds; the last one has no end. */
export const ttlClasses = [3_600, 86_400, 604_800, 2_592_000, 31_536_000, null] as const

/** Options that uploads are counted by, named as the filters of listings. */
export const countedOptions = ['oneShot', 'removable', 'stream', 'extendTTL', 'password', 'e2ee'] as const
export type CountedOption = (typeof countedOptions)[number]

/** What happened on one day. */
export const DayFigures = Type.Object(
  {
    day: day('In UTC.'),
    uploads: Type.Integer({ minimum: 0, description: 'That were created.' }),
    files: Type.Integer({ minimum: 0, description: 'That arrived whole.' }),
    downloads: Type.Integer({
      minimum: 0,
      description: 'Of files and archives: whenever the last byte of one has been sent.',
    }),
    bytesIn: Type.Integer({ minimum: 0, description: 'Of the files that arrived.' }),
    bytesOut: Type.Integer({ minimum: 0, description: 'Of files and archives, broken downloads included.' }),
  },
  { title: 'DayFigures' },
)
export type DayFigures = Static<typeof DayFigures>

export const DailyStats = Type.Object(
  {
    days: Type.Array(DayFigures, { description: 'Every day that was asked for, the earliest first.' }),
    fileSizes: Type.Array(
      Type.Object({ below: bound('Bytes; null for the class without an end.'), files: count }),
      { description: 'The files that arrived, by size, the smallest first.' },
    ),
    ttls: Type.Array(
      Type.Object({
        atMost: bound('Seconds; null for the class without an end, for ever included.'),
        uploads: count,
      }),
      { description: 'The uploads that were created, by the TTL they began with, the shortest first.' },
    ),
    options: Type.Object(
      { oneShot: count, removable: count, stream: count, extendTTL: count, password: count, e2ee: count },
      { description: 'How many of the uploads had an option; one may have several.' },
    ),
  },
  { title: 'DailyStats' },
)
export type DailyStats = Static<typeof DailyStats>

export const dailyStatsQuery = Type.Object({
  from: Type.Optional(
    day(`The first day, in UTC; without it there are ${String(limits.dailyStatsDefault)} days.`),
  ),
  to: Type.Optional(day(`The last day; without it today. At most ${String(limits.dailyStatsMax)} days.`)),
})
