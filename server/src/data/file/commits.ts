/** Tells how far a file is stored: one telling after the other, while writing goes on. */
export interface Commits<Progress> {
  /** What comes while something is told waits, and only the newest is told. */
  readonly tell: (progress: Progress) => void
  /** Resolves when all is told. @throws the first error of a telling */
  readonly settled: () => Promise<void>
  /** Aborted with the error of a telling: nothing is told after it, and nothing should be written. */
  readonly failed: AbortSignal
}

/** @param keep tells whoever wants to know, once all that is told of is safely stored */
export function commits<Progress>(keep: (progress: Progress) => Promise<void>): Commits<Progress> {
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
    tell(progress) {
      if (failure.signal.aborted) return
      newest = progress
      running ??= tellAll()
    },
    async settled() {
      while (running !== undefined) await running
      failure.signal.throwIfAborted()
    },
    failed: failure.signal,
  }
}
