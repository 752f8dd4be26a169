const units = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const

const written = /^(?:(\d{1,9})w)?(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/i

/**
 * Reads a time to live: whole seconds or `90s`, `5m`, `12h`, `30d`, `1w`, `1d12h`; `unlimited`.
 * @returns seconds, -1 for unlimited; undefined when it is no duration
 */
export function parseDuration(text: string): number | undefined {
  const value = text.trim()
  if (value.toLowerCase() === 'unlimited' || value === '-1') return -1
  if (/^\d{1,12}$/.test(value)) return Number(value)
  const match = value === '' ? null : written.exec(value)
  if (match === null) return undefined
  return units.reduce((sum, [, seconds], index) => sum + Number(match[index + 1] ?? 0) * seconds, 0)
}

/** Seconds as text with the two largest units: `3d 4h`. */
export function roughDuration(seconds: number): string {
  let rest = Math.max(0, Math.round(seconds))
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0 || parts.length > 0) parts.push(count > 0 ? `${String(count)}${unit}` : '')
    if (parts.length === 2) break
  }
  return parts.filter((part) => part !== '').join(' ') || '0s'
}
