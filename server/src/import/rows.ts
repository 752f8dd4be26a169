/** A row of a database of another service. Numbers are text, because a damaged one may not fit a number. */
export type Row = Readonly<Record<string, unknown>>

/** A text, without what no database of this service stores: NUL, and half of a surrogate pair. */
export const textOf = (row: Row, column: string): string =>
  textOfValue(row[column]).replaceAll('\0', '').toWellFormed()

function textOfValue(value: unknown): string {
  if (typeof value === 'string') return value
  // SQLite stores any type in any column.
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
}

/** @returns NaN when it is not a safe integer */
export function integerOf(row: Row, column: string): number {
  const value = Number(row[column] ?? 0)
  return Number.isSafeInteger(value) ? value : Number.NaN
}

/** PostgreSQL has booleans, the others have numbers. */
export const flagOf = (row: Row, column: string): boolean =>
  row[column] === true || Number(row[column] ?? 0) === 1

/** As Go's drivers write times into SQLite. */
const goTime = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))? ?(Z|[+-]\d\d:\d\d)?/

/**
 * Milliseconds since the epoch.
 * @returns null for no time, also for Go's zero time
 */
export function timeOf(row: Row, column: string): number | null {
  const text = textOf(row, column)
  if (text === '') return null
  const [, day, time, fraction = '', zone = 'Z'] = goTime.exec(text) ?? []
  const ms =
    day === undefined || time === undefined
      ? Number(text)
      : Date.parse(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`)
  return Number.isSafeInteger(ms) && ms >= 0 ? ms : null
}
