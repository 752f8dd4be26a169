/** Work that is done again and again, by one run at a time. */
export interface Repeated {
  /** Begins a run. A request during a run, or several, lead to exactly one more after it, which sees what they announce. */
  readonly request: () => void
  /** Resolves when no run is under way. */
  readonly idle: () => Promise<void>
}

/** @param work never rejects */
export function repeated(work: () => Promise<void>): Repeated {
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
