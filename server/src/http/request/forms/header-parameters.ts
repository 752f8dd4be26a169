import { matchAt } from '../../../domain/text/match-at.ts'

/** A name and its equals sign. */
const parameterName = /\s*([^\s=;"]+)\s*=\s*/y
const token = /[^;]*/y

/**
 * A quoted string, of which one without its last quote is the rest of the text. A backslash escapes quotes and backslashes only:
 * some clients send paths of Windows.
 */
function quotedString(text: string, start: number): { readonly value: string; readonly end: number } {
  let value = ''
  let at = start + 1
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\')) at += 1
    value += text[at] ?? ''
    at += 1
  }
  return { value, end: at + 1 }
}

/**
 * The parameters of a header such as `form-data; name="file"; filename="a b.txt"` (RFC 9110 §5.6.6), by their names in lower
 * case. Its time grows with the length of the header only, for any content.
 */
export function headerParameters(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let at = header.indexOf(';')
  while (at >= 0) {
    const [parameter = '', name = ''] = matchAt(parameterName, header, at + 1) ?? []
    const start = at + 1 + parameter.length
    const { value, end } =
      header[start] === '"'
        ? quotedString(header, start)
        : { value: matchAt(token, header, start)?.[0].trim() ?? '', end: start }
    if (name !== '') found.set(name.toLowerCase(), value)
    at = header.indexOf(';', end)
  }
  return found
}
