/** Tells how far a file is stored: one telling after the other, while writing goes on. */
export interface Commits {
  /** Everything before `offset` is written. What comes while something is told waits, and only the newest is told. */
  readonly tell: (offset: number) => void
  /** Resolves when all is told. @throws the first error of a telling */
  readonly settled: () => Promise<void>
  /** Aborted with the error of a telling: nothing is told after it, and nothing should be written. */
  readonly failed: AbortSignal
}

/** @param keep stores all before an offset safely, and tells whoever wants to know */
export function commits(keep: (offset: number) => Promise<void>): Commits {
  const failure = new AbortController()
  let newest: number | undefined
  let running: Promise<void> | undefined

  const tellAll = async () => {
    try {
      while (newest !== undefined) {
        const offset = newest
        newest = undefined
        await keep(offset)
      }
    } catch (error) {
      failure.abort(error)
    }
    running = undefined
  }
  return {
    tell(offset) {
      if (failure.signal.aborted) return
      newest = offset
      running ??= tellAll()
    },
    async settled() {
      while (running !== undefined) await running
      failure.signal.throwIfAborted()
    },
    failed: failure.signal,
  }
}
