/** Time as an argument: all code that reads the time or repeats work at an interval uses a clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Runs some work at an interval. A clock never keeps the process alive.
   * @param interval milliseconds
   * @returns stops the interval
   */
  every(interval: number, work: () => void): () => void
}

/** The clock of a machine, which an administrator or NTP may set at any moment. */
export interface MachineClock extends Clock {
  /** Milliseconds since a fixed moment: for durations. */
  monotonic(): number
}

export const isMachineClock = (clock: Clock): clock is MachineClock => 'monotonic' in clock

/** A clock for durations: its time is not a date, and never jumps where the machine has a monotonic clock. */
export const durationClock = (clock: Clock): Clock => ({
  now: () => (isMachineClock(clock) ? clock.monotonic() : clock.now()),
  every: (interval, work) => clock.every(interval, work),
})
