import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'
import type { ServiceError } from '../../domain/errors.ts'
import { logInterval } from '../../platform/log-interval.ts'

/** The errors of a full disk, of the files or of the database. */
const spaceCodes = ['no_space', 'database_full'] as const
type SpaceCode = (typeof spaceCodes)[number]

/** Requests that were refused for lack of space. Any client can cause them, so few of them are logged. */
export interface SpaceRefusals {
  /**
   * Counts an error of a full disk and logs it at most once a minute.
   * @param context fields of the log line
   * @returns false for any other error
   */
  readonly report: (error: ServiceError, context: Readonly<Record<string, unknown>>) => boolean
  /** How many requests were refused since the start of the process, by error code. */
  readonly counts: () => Readonly<Record<SpaceCode, number>>
}

export function spaceRefusals(clock: Pick<Clock, 'now'>, log: Pick<Logger, 'warn'>): SpaceRefusals {
  const counts: Record<SpaceCode, number> = { no_space: 0, database_full: 0 }
  const logOncePerMinute = logInterval(clock)
  return {
    report(error, context) {
      const code = spaceCodes.find((code) => code === error.code)
      if (code === undefined) return false
      counts[code] += 1
      logOncePerMinute(() => {
        const { cause } = error
        log.warn(
          { ...context, code, ...(cause instanceof Error && { reason: cause.message }) },
          'no space left; requests are refused',
        )
      })
      return true
    },
    counts: () => counts,
  }
}
