/**
 * A process without a heartbeat for this many milliseconds is dead: it missed three heartbeats, even if its clock
 * differs by 30 s.
 */
export const heartbeatTimeoutMs = 120_000

/**
 * The time of the oldest heartbeat that counts as alive. While judgement is impossible, all known processes are
 * alive.
 * @param judgement of `DatabaseClock`
 */
export const aliveSince = (judgement: number | null): number =>
  judgement === null ? 0 : judgement - heartbeatTimeoutMs

/** The maximum difference of clocks in milliseconds that leases and heartbeats allow for. */
export const clockToleranceMs = 30_000
