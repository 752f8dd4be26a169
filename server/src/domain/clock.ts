/** Time as an argument: everything that asks what time it is, or does something again and again, asks here. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Does some work at an interval, until the answer is called. A clock never keeps the process alive.
   * @param interval milliseconds
   */
  every(interval: number, work: () => void): () => void
}

/** The clock of a machine, which an administrator or NTP may set at any moment. */
export interface MachineClock extends Clock {
  /** Milliseconds since some moment, which nobody sets: for how long something takes. */
  monotonic(): number
}

export const isMachineClock = (clock: Clock): clock is MachineClock => 'monotonic' in clock

/** A clock for durations: its time has no date, and never jumps where the machine can tell. */
export const durationClock = (clock: Clock): Clock => ({
  now: () => (isMachineClock(clock) ? clock.monotonic() : clock.now()),
  every: (interval, work) => clock.every(interval, work),
})
