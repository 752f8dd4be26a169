/**
 * The same keys, with the last one repeated up to the next power of two. Statements with lists of keys then have few different
 * texts, so that the cache of prepared statements stays small.
 */
export function padKeys<Key>(keys: readonly Key[]): readonly Key[] {
  const last = keys.at(-1)
  if (last === undefined) return keys
  const length = 2 ** Math.ceil(Math.log2(keys.length))
  return [...keys, ...Array.from<Key>({ length: length - keys.length }).fill(last)]
}
