/** An id that a path cannot have. Its name stays when the code is minified. */
class InvalidIDError extends RangeError {
  override readonly name = 'InvalidIDError'
}

/**
 * Refuses empty values and dots as parameters of a path, because the path would be that of another endpoint: ending the
 * session `..` would delete the account.
 * @throws InvalidIDError, a RangeError
 */
export function requireSegments(values: Readonly<Record<string, string>>): void {
  for (const value of Object.values(values))
    if (value === '' || value === '.' || value === '..') throw new InvalidIDError(`“${value}” is not an id`)
}

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>

/** A path with its query, without undefined values. */
export function withQuery(path: string, values: QueryValues): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? path : `${path}?${search.toString()}`
}
