/** Ends in a row after which there is no hope for a team of which nobody works. */
const mostFailures = 5

/** Who has worked for so long was well. Milliseconds, as below. */
const wellAfter = 10_000

const firstDelay = 100
const longestDelay = 30_000

/** How a worker ended. */
export interface End {
  /** How long it took requests; null when it never did. */
  readonly workedMs: number | null
  /** How many others take requests. */
  readonly others: number
  /** Whether all workers have ever taken requests at once. */
  readonly complete: boolean
}

export interface RestartPolicy {
  /** @returns after how many ms another worker takes the place; `give up` when that makes no sense */
  readonly after: (end: End) => number | 'give up'
}

/** How often, and after which time, a worker that ended is replaced: later each time that the last one was not well. */
export function patience(): RestartPolicy {
  let failures = 0
  return {
    after({ workedMs, others, complete }) {
      failures = workedMs !== null && workedMs >= wellAfter ? 0 : failures + 1
      if (failures === 0) return 0
      // The first one of all says what is wrong: it would be no other with the next.
      if (!complete && others === 0 && workedMs === null) return 'give up'
      if (failures >= mostFailures && (others === 0 || !complete)) return 'give up'
      return Math.min(longestDelay, firstDelay * 2 ** (failures - 1))
    },
  }
}
