/** A word quoted for any POSIX shell. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return `'${word.replaceAll("'", "'\\''")}'`
}
