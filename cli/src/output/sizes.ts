const decimal = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const
const powers: Readonly<Record<string, number>> = {
  '': 1,
  ...Object.fromEntries(decimal.map((unit, power) => [unit.toLowerCase(), 1000 ** power])),
  ...Object.fromEntries(['k', 'm', 'g', 't'].map((unit, index) => [unit, 1000 ** (index + 1)])),
  ...Object.fromEntries(['kib', 'mib', 'gib', 'tib'].map((unit, index) => [unit, 1024 ** (index + 1)])),
}

/** Bytes to three digits: `1.23 MB` (1 MB is 1,000,000 bytes, as the server counts). */
export function roughSize(bytes: number): string {
  let power = 0
  // What would be rounded to 1000 belongs to the next unit.
  while (power < decimal.length - 1 && bytes / 1000 ** power >= 999.5) power += 1
  const scaled = bytes / 1000 ** power
  const digits = power === 0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2
  return `${scaled.toFixed(digits)} ${decimal[power] ?? ''}`
}

/** Reads `500k`, `1.5 MB`, `2MiB`, `4096`. @returns bytes, rounded; undefined when it is no size above 0 */
export function parseSize(text: string): number | undefined {
  const match = /^(\d{1,12}(?:\.\d{1,6})?)\s*([a-z]{0,3})$/i.exec(text.trim())
  const factor = powers[(match?.[2] ?? '').toLowerCase()]
  if (match === null || factor === undefined) return undefined
  const bytes = Math.round(Number(match[1]) * factor)
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
}
