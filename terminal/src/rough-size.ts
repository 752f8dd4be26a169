const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** Bytes to three digits: `1.23 MB` (1 MB is 1,000,000 bytes, as the server counts). */
export function roughSize(bytes: number): string {
  let power = 0
  // What would be rounded to 1000 belongs to the next unit.
  while (power < units.length - 1 && bytes / 1000 ** power >= 999.5) power += 1
  const scaled = bytes / 1000 ** power
  const digits = power === 0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2
  return `${scaled.toFixed(digits)} ${units[power] ?? ''}`
}
