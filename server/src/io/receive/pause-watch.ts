import type { Clock } from '../../domain/clock.ts'

/** The time without a byte after which a sender counts as paused, in milliseconds. */
const pauseMs = 1_000

/**
 * Watches for pauses of a sender. A pause may outlast this process.
 * @param size bytes that arrived so far
 * @param onPause called once in each pause, after one to two seconds without a byte; again while it returns false
 * @returns a function that stops the watch
 */
export function watchPauses(clock: Clock, size: () => number, onPause: () => boolean): () => void {
  let last = 0
  let handled = 0
  return clock.every(pauseMs, () => {
    const now = size()
    if (now === last && now > handled && onPause()) handled = now
    last = now
  })
}
