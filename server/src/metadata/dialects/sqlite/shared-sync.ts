import { ignore } from '../../../domain/ignore.ts'

/**
 * Group commit: one sync at a time, shared by all calls during the previous one. A running sync does not count for later
 * calls, because it may miss their writes.
 * @param sync flushes all earlier writes to the disk
 * @returns a function that resolves when a sync that began after the call has ended, and rejects with its error
 */
export function sharedSync(sync: () => Promise<void>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  const start = () => {
    next = undefined
    const started = sync()
    // The callers of this sync receive the error; the next sync starts regardless.
    running = started.catch(ignore)
    return started
  }
  return () => (next ??= running.then(start))
}
