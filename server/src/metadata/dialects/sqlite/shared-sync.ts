/**
 * Group commit: one sync at a time, shared by all who ask while the one before runs. A sync that has begun is not enough for
 * those who come later, as it may have passed by what they wrote.
 * @param sync brings to the disk what was written before it began
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
  // It is reported to those who wait for it; the next sync is another one.
}
