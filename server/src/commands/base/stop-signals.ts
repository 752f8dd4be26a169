import type { MachineClock } from '../../domain/clock.ts'

/** Milliseconds within which the signals of one request to stop arrive: a person takes longer to ask again. */
const oneRequest = 300

/**
 * For one Ctrl+C, a terminal and the npm that started this process both send a signal. The second of them is not the request to
 * end at once.
 * @returns the function that receives signals; it calls `stop` for those that are a separate request
 */
export function withoutRepeats(clock: Pick<MachineClock, 'monotonic'>, stop: () => void): () => void {
  let last = -Infinity
  return () => {
    const now = clock.monotonic()
    if (now - last < oneRequest) return
    last = now
    stop()
  }
}
