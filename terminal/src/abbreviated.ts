/**
 * A text of unknown length for a line on a terminal: long words, then the text, have `…` instead of their middle.
 * @param most characters that are kept
 */
export const abbreviated = (text: string, most: { readonly word: number; readonly text: number }): string =>
  middleCut(
    text.replaceAll(/\S+/gu, (word) => middleCut(word, most.word)),
    most.text,
  )

function middleCut(text: string, most: number): string {
  const characters = Array.from(text)
  if (characters.length <= most) return text
  const end = Math.floor((most - 1) / 2)
  return [...characters.slice(0, most - 1 - end), '…', ...characters.slice(-end)].join('')
}
