/** A job that runs on request, one run at a time. Requests during a run share the next run. */
export interface CoalescedJob {
  /** Begins a run. Requests during a run lead to exactly one more run after it, which sees what they announce. */
  readonly request: () => void
  /** Resolves when no run is in progress. */
  readonly idle: () => Promise<void>
}

/**
 * Makes a job of work that several callers may request at the same time.
 * @param work never rejects
 */
export function coalesce(work: () => Promise<void>): CoalescedJob {
  let isRequested = false
  let runs: Promise<void> | undefined
  const runWhileRequested = async () => {
    while (isRequested) {
      isRequested = false
      await work()
    }
    runs = undefined
  }
  return {
    request() {
      isRequested = true
      runs ??= runWhileRequested()
    },
    idle: async () => {
      await runs
    },
  }
}
