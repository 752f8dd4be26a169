/** Length of a text as UTF-8, in bytes. A lone surrogate counts as its replacement character. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    const isPair = (text.codePointAt(index) ?? 0) > 0xffff
    // A surrogate pair has four bytes, two of which are already counted.
    bytes += unit < 0x800 ? 1 : 2
    if (isPair) index++
  }
  return bytes
}
