/**
 * An instance without a heartbeat for this many milliseconds is dead: it missed three heartbeats, even if its clock
 * differs by 30 s.
 */
export const heartbeatTimeoutMs = 120_000

/**
 * The time of the oldest heartbeat that counts as alive. While the time is not steady, all known instances
 * count as alive.
 * @param now `steadyTime` of `DatabaseClock`
 */
export const aliveSince = (now: number | null): number => (now === null ? 0 : now - heartbeatTimeoutMs)

/** The maximum difference of clocks in milliseconds that leases and heartbeats allow for. */
export const clockToleranceMs = 30_000
