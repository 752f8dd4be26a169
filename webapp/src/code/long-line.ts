/** Characters up to which lines are wrapped. */
const maxWrapped = 10_000

/** Whether a line is so long that the editor must not wrap it. */
export function hasLongLine(text: string): boolean {
  let start = 0
  while (text.length - start > maxWrapped) {
    const end = text.indexOf('\n', start)
    if (end === -1 || end - start > maxWrapped) return true
    start = end + 1
  }
  return false
}
