/**
 * A value from outside as one segment of a path. Ids of users carry `:` and may carry `/`, `%` and any letter.
 * Nothing and dots are refused: an address without its last segment, or one above it, is another endpoint, so that
 * ending the session `..` would ask for the end of the account.
 * @throws RangeError
 */
export function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new RangeError(`“${value}” is no id`)
  return encodeURIComponent(value)
}

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>

/** A path with its query; what is undefined is left out. */
export function withQuery(path: string, values: QueryValues): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? path : `${path}?${search.toString()}`
}
