/**
 * Group commit: one sync at a time, shared by all calls during the previous one. A sync that has started does not cover
 * later calls, because it may miss what they wrote.
 * @param sync flushes to the disk what was written before it started
 * @returns resolves when a sync that began after the call has ended; rejects with its error
 */
export function sharedSync(sync: () => Promise<void>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  const start = () => {
    next = undefined
    const started = sync()
    running = started.catch(ignore)
    return started
  }
  return () => (next ??= running.then(start))
}

function ignore(): void {
  // The callers of this sync receive the error; the next sync starts regardless.
}
