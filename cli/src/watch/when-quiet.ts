import type { Clock } from '../program/program.ts'

/** Calls back for each key once it has been quiet for some time. */
export interface QuietWatch {
  /** Reports a change. */
  readonly changed: (key: string) => void
}

/**
 * No system says when a program has finished writing a file, so a file counts as complete after a time without a change.
 * @param quietMs milliseconds
 */
export function whenQuiet(
  clock: Clock,
  quietMs: number,
  signal: AbortSignal,
  onQuiet: (key: string) => void,
): QuietWatch {
  const changes = new Map<string, number>()
  const wait = async (key: string) => {
    for (let seen = 0; ;) {
      const now = changes.get(key) ?? 0
      if (now === seen) break
      seen = now
      await clock.sleep(quietMs, signal)
    }
    changes.delete(key)
    onQuiet(key)
  }
  return {
    changed(key) {
      const before = changes.get(key)
      changes.set(key, (before ?? 0) + 1)
      // An interrupt ends the wait.
      if (before === undefined) wait(key).catch(() => undefined)
    },
  }
}
