/**
 * An unused name: `pasted.txt`, then `pasted 2.txt`, and so on.
 * @param preferred the name to use if it is free
 * @param taken the used names
 */
export function uniqueName(preferred: string, taken: readonly string[]): string {
  if (!taken.includes(preferred)) return preferred
  const dot = preferred.lastIndexOf('.')
  const [base, ending] = dot > 0 ? [preferred.slice(0, dot), preferred.slice(dot)] : [preferred, '']
  for (let count = 2; ; count += 1) {
    const name = `${base} ${String(count)}${ending}`
    if (!taken.includes(name)) return name
  }
}
