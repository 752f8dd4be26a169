import type { Random } from '../../../domain/ids.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * The pauses between attempts in ms: the schedule that Standard Webhooks suggests, and two more days. A message is given up
 * three days after its first attempt.
 */
const pauses: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  18 * hour,
  22 * hour,
]

/** The maximum pause that a target can ask for. */
const maxRetryAfter = 24 * hour

/** The part of a pause by which it is extended at random, so that messages do not all return at once. */
const jitter = 0.2

/**
 * The pause after a failed attempt.
 * @param attempts the number of finished attempts, 1 or more
 * @param retryAfter the value of a header `Retry-After`: seconds or a date (RFC 9110 §10.2.3)
 * @returns ms; null when the message is given up
 */
export function pauseAfter(
  attempts: number,
  {
    now,
    random,
    retryAfter,
  }: { readonly now: number; readonly random: Random; readonly retryAfter?: string | undefined },
): number | null {
  const pause = pauses[attempts - 1]
  if (pause === undefined) return null
  const [byte = 0] = randomByte(random)
  return Math.max(Math.round(pause * (1 + (jitter * byte) / 256)), requestedPause(retryAfter, now))
}

function randomByte(random: Random): Uint8Array {
  const bytes = new Uint8Array(1)
  random(bytes)
  return bytes
}

/** Ignores a value that is not a pause. */
function requestedPause(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * second : Date.parse(retryAfter) - now
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), maxRetryAfter)
}
