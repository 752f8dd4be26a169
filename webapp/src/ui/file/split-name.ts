/** The folder part of a name, with its slash, and the rest. */
export function splitName(name: string): { readonly folder: string; readonly base: string } {
  const slash = name.lastIndexOf('/') + 1
  return { folder: name.slice(0, slash), base: name.slice(slash) }
}

/** Letters at the end of a long name that stay visible, before its extension. */
const lastLetters = 6
/** Longer names can be too wide for their row. */
const longName = 20
/** A longer extension is not one. */
const maxEnding = 10

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Letters of these scripts change their shape when they are separated. */
const joins = /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}]/u

/** The two parts of a name are laid out apart: digits and signs in the second would not know the letters before them. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u

/**
 * A name in two parts, so that a narrow row leaves out its middle: the end has the extension and the last letters, which
 * distinguish `photo 1.jpg` from `photo 2.jpg`. A short name has no end.
 */
export function splitMiddle(name: string): { readonly start: string; readonly end: string } {
  if (name.length <= longName) return { start: name, end: '' }
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= maxEnding ? dot : name.length
  // Only the last part of the name is cut into letters: a name can be long.
  const from = Math.max(0, ending - 8 * lastLetters)
  const last = Array.from(letters.segment(name.slice(from, ending)), ({ index }) => from + index)
  const cut = last.at(-lastLetters) ?? ending
  const at = joins.test(name.slice(cut)) || rightToLeft.test(name) ? ending : cut
  return { start: name.slice(0, at), end: name.slice(at) }
}
