/** Letters at the end of a long name that stay visible, before its extension. */
const lastLetters = 6
/** A narrow row leaves out this many of them. */
const droppedLetters = 3
/** Letters at the beginning of a name that are never part of its end. */
const firstLetters = 5
/** A shorter name has no middle to leave out. */
const longName = 10
/** A longer extension is not one. */
const maxEnding = 10

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Letters of these scripts change their shape when they are separated. */
const joins = /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}]/u

/** The parts of a name are laid out apart: digits and signs in the end would not know the letters before them. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u

/**
 * A name in parts, so that a narrow row leaves out its middle. The end has the last letters, which distinguish `photo 1.jpg`
 * from `photo 2.jpg`, and the extension, which remains where there is no space for the others. A short name has no end.
 */
export function truncateMiddle(name: string): { readonly start: string; readonly end: readonly string[] } {
  if (name.length <= longName) return { start: name, end: [] }
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= maxEnding ? dot : name.length
  // Only the last part of the name is cut into letters: a name can be long.
  const from = Math.max(0, ending - 8 * (firstLetters + lastLetters))
  const last = Array.from(letters.segment(name.slice(from, ending)), ({ index }) => from + index)
  const count = Math.min(lastLetters, Math.max(0, last.length - firstLetters))
  const cut = last.at(last.length - count) ?? ending
  const isWhole = joins.test(name.slice(cut)) || rightToLeft.test(name)
  const places = isWhole
    ? []
    : [cut, last.at(-droppedLetters) ?? ending]
        .filter((place) => place >= cut && count > 0)
        .map((place) => place + (/^\s*/.exec(name.slice(place, ending))?.[0].length ?? 0))
  const bounds = [...new Set([...places, ending]), name.length]
  const end = bounds.slice(1).map((to, index) => name.slice(bounds[index], to))
  return { start: name.slice(0, bounds[0]), end: end.filter((part) => part !== '') }
}
