const units = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const

/** Seconds as text with the two largest units, of which the smaller one is rounded: `3d 4h`. */
export function roughDuration(seconds: number): string {
  let rest = rounded(Math.max(0, Math.round(seconds)))
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0 || parts.length > 0) parts.push(count > 0 ? `${String(count)}${unit}` : '')
    if (parts.length === 2) break
  }
  return parts.filter((part) => part !== '').join(' ') || '0s'
}

/** What was set a moment ago is shown as it was set: two weeks, not one week and six days. */
function rounded(seconds: number): number {
  const largest = units.findIndex(([, size]) => seconds >= size)
  const [, step] = units[largest + 1] ?? ['s', 1]
  return Math.round(seconds / step) * step
}

/**
 * The time until an upload expires: `in 3d 4h`, or `never`.
 * @param expireAt a date as of RFC 3339; null for an upload without an end
 * @param now milliseconds since the epoch
 */
export const roughExpiry = (expireAt: string | null, now: number): string =>
  expireAt === null ? 'never' : `in ${roughDuration((Date.parse(expireAt) - now) / 1000)}`
