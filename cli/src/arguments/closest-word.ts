/** Edit distance of two words: changed, added, removed and swapped letters. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const editsAt = (up: number, left: number) => (up === 0 ? row : rows[i - up])?.[j - left] ?? Infinity
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          editsAt(1, 0) + 1,
          editsAt(0, 1) + 1,
          editsAt(1, 1) + (same ? 0 : 1),
          swapped ? editsAt(2, 2) + 1 : Infinity,
        ),
      )
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? Infinity
}

/**
 * The most similar word.
 * @returns undefined when none is similar enough
 */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  const completions = known.filter((candidate) => word.length >= 3 && candidate.startsWith(word))
  if (completions.length === 1) return completions[0]
  const [best] = known
    .map((candidate) => ({ candidate, edits: editDistance(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= 2 && edits < Math.max(2, candidate.length / 2))
    .sort((a, b) => a.edits - b.edits)
  return best?.candidate
}
