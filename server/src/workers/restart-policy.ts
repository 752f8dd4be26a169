/** Failures in a row after which the primary gives up if no worker serves. */
const maxFailures = 5

/** A worker that served for this long did not fail. Milliseconds, as below. */
const healthyAfterMs = 10_000

const firstDelayMs = 100
const maxDelayMs = 30_000

/** How a worker exited. */
export interface WorkerExit {
  /** How long it served requests; null when it never did. */
  readonly servedMs: number | null
  /** Number of other workers that serve requests. */
  readonly others: number
  /** Whether all workers have ever served at the same time. */
  readonly complete: boolean
}

export interface RestartPolicy {
  /** @returns milliseconds until the worker is replaced; `give up` when a replacement would fail too */
  readonly after: (exit: WorkerExit) => number | 'give up'
}

/** Decides whether and when a worker that exited is replaced. The delay doubles with each failure. */
export function restartPolicy(): RestartPolicy {
  let failures = 0
  return {
    after({ servedMs, others, complete }) {
      failures = servedMs !== null && servedMs >= healthyAfterMs ? 0 : failures + 1
      if (failures === 0) return 0
      // The very first worker reports what is wrong: the next one would fail the same way.
      if (!complete && others === 0 && servedMs === null) return 'give up'
      if (failures >= maxFailures && (others === 0 || !complete)) return 'give up'
      return Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1))
    },
  }
}
