import type { Logger, LogFn } from 'pino'
import { StoreUnavailableError } from '../data/backend/backend.ts'
import { ServiceError } from '../domain/errors.ts'
import { reasonsOf } from '../check/base/reasons.ts'

/** How long a failure that repeats is only counted, in ms. */
const quietMs = 60_000

/** The number of different failures that are remembered. */
const maxFailures = 1_000

/** The number of the level `warn` of pino. */
const warnLevel = 40

interface Failure {
  readonly loggedAt: number
  repeats: number
}

type LogMethod = (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void

/**
 * A hook of the log for outages of the database and the data store, with which everything fails again and again. The first line of
 * a failure has its reasons as text, without a stack. Repeats of warnings and of failed requests within a minute have the level `debug`,
 * and the next line counts them.
 * @param now milliseconds
 */
export function repeatedFailures(now: () => number): LogMethod {
  const failures = new Map<string, Failure>()
  return function log(args, method, level) {
    const [fields, message] = args
    const outage = level < warnLevel ? undefined : outageIn(fields)
    if (outage === undefined) {
      method.apply(this, args)
      return
    }
    const key = JSON.stringify([message, outage.route, outage.reasons])
    const known = failures.get(key)
    // Other errors are changes of a state, such as "not ready", or rare.
    const mayRepeat = level === warnLevel || outage.route !== undefined
    if (mayRepeat && known !== undefined && now() - known.loggedAt < quietMs) {
      known.repeats += 1
      this.debug(fields, message)
      return
    }
    if (failures.size >= maxFailures) failures.clear()
    failures.set(key, { loggedAt: now(), repeats: 0 })
    const repeats = known?.repeats ?? 0
    const { context, reasons } = outage
    method.apply(this, [{ reason: reasons, ...context, ...(repeats > 0 && { repeats }) }, message])
  }
}

interface Outage {
  readonly reasons: string
  readonly route: unknown
  /** The fields of the line except the error. */
  readonly context: object
}

function outageIn(fields: unknown): Outage | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined
  const { err: error, ...context } = fields as Readonly<Record<string, unknown>>
  if (!(error instanceof Error)) return undefined
  const isOutage = context['code'] === 'unavailable' || isUnavailable(error)
  return isOutage ? { reasons: reasonsOf(error), route: context['route'], context } : undefined
}

const isUnavailable = (error: Error): boolean =>
  error instanceof StoreUnavailableError || (error instanceof ServiceError && error.code === 'unavailable')
