const decimal = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const
const powers: Readonly<Record<string, number>> = {
  '': 1,
  ...Object.fromEntries(decimal.map((unit, power) => [unit.toLowerCase(), 1000 ** power])),
  ...Object.fromEntries(['k', 'm', 'g', 't'].map((unit, index) => [unit, 1000 ** (index + 1)])),
  ...Object.fromEntries(['kib', 'mib', 'gib', 'tib'].map((unit, index) => [unit, 1024 ** (index + 1)])),
}

/**
 * Reads `500k`, `1.5 MB`, `2MiB`, `4096`.
 * @returns bytes, rounded; undefined when it is no size above 0
 */
export function parseSize(text: string): number | undefined {
  const match = /^(\d{1,12}(?:\.\d{1,6})?)\s*([a-z]{0,3})$/i.exec(text.trim())
  const factor = powers[(match?.[2] ?? '').toLowerCase()]
  if (match === null || factor === undefined) return undefined
  const bytes = Math.round(Number(match[1]) * factor)
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
}
