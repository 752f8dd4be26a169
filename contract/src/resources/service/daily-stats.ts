import * as Type from 'typebox'
import type { Static } from 'typebox'
import { limits } from '../../base/limits.ts'

const count = Type.Integer({ minimum: 0 })
const day = (description: string) => Type.String({ format: 'date', description })
/** An integer or null, as one schema with two types (nullable.ts). */
const bound = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description })

/** Size classes of files: exclusive upper bounds in bytes; the last class has no bound. */
export const fileSizeClasses = [1e5, 1e6, 1e7, 1e8, 1e9, 1e10, null] as const

/** TTL classes of uploads, by their first TTL: inclusive upper bounds in seconds; the last class has no bound. */
export const ttlClasses = [3_600, 86_400, 604_800, 2_592_000, 31_536_000, null] as const

/** Options that are counted, with the names of the filters of lists. */
export const countedOptions = ['oneShot', 'removable', 'stream', 'extendTTL', 'password', 'e2ee'] as const
export type CountedOption = (typeof countedOptions)[number]

/** The statistics of one day. */
export const DayStats = Type.Object(
  {
    day: day('In UTC.'),
    uploads: Type.Integer({ minimum: 0, description: 'Uploads created.' }),
    files: Type.Integer({ minimum: 0, description: 'Files received completely.' }),
    downloads: Type.Integer({
      minimum: 0,
      description: 'Completed downloads of files and archives.',
    }),
    bytesIn: Type.Integer({ minimum: 0, description: 'Bytes of the received files.' }),
    bytesOut: Type.Integer({
      minimum: 0,
      description: 'Bytes sent of files and archives, including incomplete downloads.',
    }),
  },
  { title: 'DayStats' },
)
export type DayStats = Static<typeof DayStats>

export const DailyStats = Type.Object(
  {
    days: Type.Array(DayStats, { description: 'Every requested day, earliest first.' }),
    fileSizes: Type.Array(
      Type.Object({ below: bound('Bytes; null for the class without a bound.'), files: count }),
      { description: 'Received files by size, smallest first.' },
    ),
    ttls: Type.Array(
      Type.Object({
        atMost: bound(
          'Seconds; null for the class without a bound, which includes uploads that never expire.',
        ),
        uploads: count,
      }),
      { description: 'Created uploads by their first TTL, shortest first.' },
    ),
    options: Type.Object(
      { oneShot: count, removable: count, stream: count, extendTTL: count, password: count, e2ee: count },
      { description: 'Number of created uploads with each option; an upload can have several.' },
    ),
  },
  { title: 'DailyStats' },
)
export type DailyStats = Static<typeof DailyStats>

export const dailyStatsQuery = Type.Object({
  from: Type.Optional(
    day(`The first day, in UTC; by default ${String(limits.dailyStatsDefault)} days are returned.`),
  ),
  to: Type.Optional(day(`The last day; by default today. At most ${String(limits.dailyStatsMax)} days.`)),
})
