/** A text that roff, the language of manual pages, prints as it is. */
export function roffText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('’', "'")
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}

/** The lines of a term and its text in a manual page. */
export const roffItem = (term: string, text: string): string[] => [
  '.TP',
  `\\fB${roffText(term)}\\fR`,
  roffText(text),
]
