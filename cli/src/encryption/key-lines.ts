/** The keys of a file that has one per line, as age has them: `#` begins a comment. */
export const keyLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
