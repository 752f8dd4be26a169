import { roughDuration } from './rough-duration.ts'

/** Seconds. A server may compute an expiry and the time of creation one after the other. */
const tolerance = 2

/**
 * What to report about a lifetime that a server has changed: it may have a maximum, or not let its users choose.
 * @param option the name of the option that requested it
 * @param requested seconds; 0 means the default of the server, -1 unlimited
 * @param actual seconds; -1 means unlimited
 * @returns undefined when the server did as requested
 */
export function lifetimeNote(
  option: string,
  requested: number | undefined,
  actual: number,
): string | undefined {
  if (requested === undefined) return undefined
  const lifetime = actual < 0 ? 'unlimited' : roughDuration(actual)
  if (requested === 0) return `--${option} 0 is the default of the server: ${lifetime}`
  const difference = endless(actual) - endless(requested)
  // Of two unlimited lifetimes, the difference is not a number.
  if (Number.isNaN(difference) || Math.abs(difference) <= tolerance) return undefined
  return difference < 0
    ? `the server limited --${option} to ${lifetime}`
    : `the server sets --${option} itself: ${lifetime}`
}

const endless = (seconds: number) => (seconds < 0 ? Infinity : seconds)
