import type { Logger } from 'pino'
import { durationClock, isMachineClock, type Clock, type MachineClock } from '../../domain/clock.ts'
import { clockToleranceMs, heartbeatTimeoutMs } from './heartbeat-timeout.ts'

/** A measurement that is this old is good enough to judge a lease. Milliseconds, as below. */
const freshMs = 1_000

/** Between two log lines about a wrong clock. */
const noticeMs = 60_000

/**
 * The time of the database, which all instances on it share. What one instance writes and another judges (heartbeats, leases,
 * ends of uploads, sessions) is in this time, so that the clock of a machine can neither end what others do nor give away what
 * they hold.
 */
export interface DatabaseClock {
  readonly clock: Clock
  /** For how long something takes here: nobody sets it. */
  readonly durations: Clock
  /** Compares with the database. @throws ServiceError `unavailable` */
  measure(): Promise<void>
  /**
   * The time by which leases and heartbeats of other instances may be judged, measured just now; null where none may be: the
   * database's time was set not long ago, and what the others wrote before looks too old or too new.
   */
  judgement(): Promise<number | null>
  /** How far the machine's clock is ahead of the database's; negative where it is behind. */
  offset(): number
  /**
   * Whether the clocks agree within the tolerance, and the time is steady. Where not, one of them is wrong, and perhaps the
   * database's: nothing is deleted by it, as that cannot be undone.
   */
  isTrusted(): boolean
}

interface Parts {
  readonly machine: Clock
  /** The database's time in ms; null where it has none but the machine's. */
  readonly read: () => Promise<number | null>
  readonly log: Logger
}

/**
 * Measures the database's time for the first time, and follows it from then on by the machine's monotonic clock.
 * @param machine one without a monotonic clock stands for the database's, too
 * @throws ServiceError `unavailable`
 */
export async function openDatabaseClock({ machine, read, log }: Parts): Promise<DatabaseClock> {
  if (!isMachineClock(machine)) return agreeing(machine)
  const clock = followedClock(machine, read, log)
  await clock.measure()
  return clock
}

/** Refuses what cannot be undone while the clocks do not agree. @throws WrongClockError */
export function requireTrusted(clock: DatabaseClock): void {
  if (!clock.isTrusted()) throw new WrongClockError(clock.offset())
}

export class WrongClockError extends Error {
  override readonly name = 'WrongClockError'

  /** @param offset of the machine's clock, in ms */
  constructor(offset: number) {
    super(
      `the clock of this machine is ${String(Math.abs(seconds(offset)))} s ${offset < 0 ? 'behind' : 'ahead of'} that of the ` +
        'database: nothing is cleaned, synchronise both (NTP)',
    )
  }
}

const agreeing = (clock: Clock): DatabaseClock => ({
  clock,
  durations: clock,
  measure: () => Promise.resolve(),
  judgement: () => Promise.resolve(clock.now()),
  offset: () => 0,
  isTrusted: () => true,
})

function followedClock(machine: MachineClock, read: Parts['read'], log: Logger): DatabaseClock {
  /** What the monotonic clock lacks of the database's time. */
  let ahead: number | undefined
  let measuredAt = -Infinity
  let steppedAt = -Infinity
  let running: Promise<void> | undefined

  const now = () => Math.round(machine.monotonic() + (ahead ?? 0))
  const offset = () => Math.round(machine.now() - now())
  const isSteady = () => machine.monotonic() - steppedAt >= heartbeatTimeoutMs
  const agrees = () => Math.abs(offset()) <= clockToleranceMs
  const tell = disagreementLog(machine, log)

  const look = async () => {
    const sent = machine.monotonic()
    const told = await read()
    const received = machine.monotonic()
    // The answer was given at some moment between the two, and leaves out fractions of a millisecond.
    const range =
      told === null
        ? { least: machine.now() - received, most: machine.now() - received }
        : { least: told - received, most: told + 1 - sent }
    const before = ahead
    ahead = before === undefined ? (range.least + range.most) / 2 : within(before, range)
    measuredAt = received
    const step = before === undefined ? 0 : ahead - before
    if (Math.abs(step) > clockToleranceMs) {
      steppedAt = received
      log.error(
        { stepSeconds: seconds(step) },
        'the time of the database was set: leases are not judged for two minutes',
      )
    }
    tell(agrees(), offset())
  }
  const measure = () =>
    (running ??= look().finally(() => {
      running = undefined
    }))
  return {
    clock: { now, every: (interval, work) => machine.every(interval, work) },
    durations: durationClock(machine),
    measure,
    async judgement() {
      if (machine.monotonic() - measuredAt >= freshMs) await measure()
      return isSteady() ? now() : null
    },
    offset,
    isTrusted: () => isSteady() && agrees(),
  }
}

/** The nearest value of a range: what is inside of it already has not been proven wrong. */
const within = (value: number, { least, most }: { readonly least: number; readonly most: number }) =>
  Math.min(Math.max(value, least), most)

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
        'the clock of this machine is not that of the database: nothing is cleaned here, synchronise both (NTP)',
      )
    }
  }
}
