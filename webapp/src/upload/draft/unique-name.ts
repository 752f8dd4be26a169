/**
 * An unused name: `pasted.txt`, then `pasted 2.txt`, and so on.
 * @param wish the preferred name
 * @param taken the used names
 */
export function uniqueName(wish: string, taken: readonly string[]): string {
  if (!taken.includes(wish)) return wish
  const dot = wish.lastIndexOf('.')
  const [base, ending] = dot > 0 ? [wish.slice(0, dot), wish.slice(dot)] : [wish, '']
  for (let count = 2; ; count += 1) {
    const name = `${base} ${String(count)}${ending}`
    if (!taken.includes(name)) return name
  }
}
