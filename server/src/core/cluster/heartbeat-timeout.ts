/** A process that gave no sign of life for this many milliseconds is dead: three signs, and clocks that differ by 30 s. */
export const heartbeatTimeoutMs = 120_000

/**
 * Processes without a heartbeat since are dead; all of those that the database knows live where nobody may judge.
 * @param judgement of `DatabaseClock`
 */
export const aliveSince = (judgement: number | null): number =>
  judgement === null ? 0 : judgement - heartbeatTimeoutMs

/** Clocks that differ by more milliseconds than these are wrong: leases and heartbeats allow for no more. */
export const clockToleranceMs = 30_000
