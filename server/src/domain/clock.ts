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
