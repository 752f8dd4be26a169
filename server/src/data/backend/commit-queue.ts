/** Commits the progress of an upload, one commit at a time, while writing continues. */
export interface CommitQueue<Progress> {
  /** During a commit, only the newest progress is kept for the next one. */
  readonly push: (progress: Progress) => void
  /**
   * Resolves when all progress is committed.
   * @throws the first error of a commit
   */
  readonly drain: () => Promise<void>
  /** Aborted with the error of a commit: no commit follows, and writing should stop. */
  readonly failed: AbortSignal
}

/** @param keep syncs and commits progress */
export function commitQueue<Progress>(keep: (progress: Progress) => Promise<void>): CommitQueue<Progress> {
  const failure = new AbortController()
  let newest: Progress | undefined
  let running: Promise<void> | undefined

  const tellAll = async () => {
    try {
      while (newest !== undefined) {
        const progress = newest
        newest = undefined
        await keep(progress)
      }
    } catch (error) {
      failure.abort(error)
    }
    running = undefined
  }
  return {
    push(progress) {
      if (failure.signal.aborted) return
      newest = progress
      running ??= tellAll()
    },
    async drain() {
      while (running !== undefined) await running
      failure.signal.throwIfAborted()
    },
    failed: failure.signal,
  }
}
