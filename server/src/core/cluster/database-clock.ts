import type { Logger } from 'pino'
import { durationClock, isMachineClock, type Clock, type MachineClock } from '../../domain/clock.ts'
import { clockToleranceMs, heartbeatTimeoutMs } from './heartbeat-timeout.ts'

/** The maximum age of a measurement with which leases are compared, in milliseconds. */
const freshMs = 1_000

/** The minimum interval between two log lines about a wrong clock, in milliseconds. */
const noticeMs = 60_000

/**
 * The time of the database, which all its instances share. Everything that one instance writes and another compares
 * (heartbeats, leases, expiry of uploads and sessions) uses it, so that a wrong machine clock neither ends nor
 * takes over the work of others.
 */
export interface DatabaseClock {
  readonly clock: Clock
  /** A clock for durations, which never jumps. */
  readonly durations: Clock
  /**
   * Compares the clocks.
   * @throws ServiceError `unavailable`
   */
  measure(): Promise<void>
  /**
   * The current time, with which leases and heartbeats of other instances are compared. Null for two minutes after a
   * jump of the database's time, because earlier rows seem too old or too new.
   * @throws ServiceError `unavailable`
   */
  steadyTime(): Promise<number | null>
  /** How far the machine's clock is ahead of the database's; negative when it is behind. */
  offset(): number
  /**
   * Whether the clocks agree within the tolerance, and the time is steady. If not, one of them is wrong, perhaps
   * the database's. Nothing is then deleted, because a deletion cannot be undone.
   */
  isTrusted(): boolean
}

interface DatabaseClockOptions {
  readonly machine: Clock
  /** The database's time in ms; null for a database without a separate clock. */
  readonly read: () => Promise<number | null>
  readonly log: Logger
}

/**
 * Measures the database's time, and follows it with the machine's monotonic clock.
 * @param machine also the clock of the database if it has no monotonic time, as in tests
 * @throws ServiceError `unavailable`
 */
export async function openDatabaseClock({
  machine,
  read,
  log,
}: DatabaseClockOptions): Promise<DatabaseClock> {
  if (!isMachineClock(machine)) return singleClock(machine)
  const clock = followedClock(machine, read, log)
  await clock.measure()
  return clock
}

/**
 * Prevents irreversible work while the clocks disagree.
 * @throws WrongClockError
 */
export function requireTrusted(clock: DatabaseClock): void {
  if (!clock.isTrusted()) throw new WrongClockError(clock.offset())
}

export class WrongClockError extends Error {
  override readonly name = 'WrongClockError'

  /** @param offset ms by which the machine's clock is off */
  constructor(offset: number) {
    super(
      `the clock of this machine is ${String(Math.abs(seconds(offset)))} s ${offset < 0 ? 'behind' : 'ahead of'} that of the ` +
        'database: cleanup is paused; synchronise both (NTP)',
    )
  }
}

const singleClock = (clock: Clock): DatabaseClock => ({
  clock,
  durations: clock,
  measure: () => Promise.resolve(),
  steadyTime: () => Promise.resolve(clock.now()),
  offset: () => 0,
  isTrusted: () => true,
})

function followedClock(
  machine: MachineClock,
  read: DatabaseClockOptions['read'],
  log: Logger,
): DatabaseClock {
  /** The difference between the database's time and the monotonic clock. */
  let ahead: number | undefined
  let measuredAt = -Infinity
  let steppedAt = -Infinity
  let running: Promise<void> | undefined

  const now = () => Math.round(machine.monotonic() + (ahead ?? 0))
  const offset = () => Math.round(machine.now() - now())
  const isSteady = () => machine.monotonic() - steppedAt >= heartbeatTimeoutMs
  const agrees = () => Math.abs(offset()) <= clockToleranceMs
  const logDisagreement = disagreementLog(machine, log)

  const compare = async () => {
    const sent = machine.monotonic()
    const databaseTime = await read()
    const received = machine.monotonic()
    // The database read its clock between the two moments, and drops fractions of a millisecond.
    const range =
      databaseTime === null
        ? { min: machine.now() - received, max: machine.now() - received }
        : { min: databaseTime - received, max: databaseTime + 1 - sent }
    const before = ahead
    ahead = before === undefined ? (range.min + range.max) / 2 : within(before, range)
    measuredAt = received
    const step = before === undefined ? 0 : ahead - before
    if (Math.abs(step) > clockToleranceMs) {
      steppedAt = received
      log.error(
        { stepSeconds: seconds(step) },
        'the time of the database jumped: leases are not checked for two minutes',
      )
    }
    logDisagreement(agrees(), offset())
  }
  const measure = () =>
    (running ??= compare().finally(() => {
      running = undefined
    }))
  return {
    clock: { now, every: (interval, work) => machine.every(interval, work) },
    durations: durationClock(machine),
    measure,
    async steadyTime() {
      if (machine.monotonic() - measuredAt >= freshMs) await measure()
      return isSteady() ? now() : null
    },
    offset,
    isTrusted: () => isSteady() && agrees(),
  }
}

/** The nearest value in a range. A value inside the range may be exact, and stays. */
const within = (value: number, { min, max }: { readonly min: number; readonly max: number }) =>
  Math.min(Math.max(value, min), max)

const seconds = (ms: number) => Math.round(ms / 1000)

/** Logs that the clocks differ, at most once a minute, and that they agree again. */
function disagreementLog(machine: MachineClock, log: Logger): (agree: boolean, offset: number) => void {
  let loggedAt: number | null = null
  return (agree, offset) => {
    const now = machine.monotonic()
    const clockOffsetSeconds = seconds(offset)
    if (agree) {
      if (loggedAt !== null)
        log.warn({ clockOffsetSeconds }, 'the clocks of machine and database agree again')
      loggedAt = null
    } else if (loggedAt === null || now - loggedAt >= noticeMs) {
      loggedAt = now
      log.error(
        { clockOffsetSeconds },
        'the clocks of machine and database differ: cleanup is paused here; synchronise both (NTP)',
      )
    }
  }
}
