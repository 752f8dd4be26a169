/** What a `Range` header asks for; `start` and `end` are the first and the last byte, both included. */
export type RequestedRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'range'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }

const whole: RequestedRange = { kind: 'whole' }
const unsatisfiable: RequestedRange = { kind: 'unsatisfiable' }

/** The only range of a byte range set: its two numbers as written, either may be empty. */
function onlyMember(header: string): { readonly first: string; readonly last: string } | null {
  const set = /^bytes=(.*)$/i.exec(header.trim())?.[1] ?? ''
  // Empty members of a list are no members (RFC 9110 §5.6.1.2).
  const [member, ...others] = set.split(',').flatMap((part) => part.trim() || [])
  if (member === undefined || others.length > 0) return null
  const [, first, last] = /^(\d*)-(\d*)$/.exec(member) ?? []
  if (first === undefined || last === undefined) return null
  return { first, last }
}

/** The last bytes; more than there are means all of them (RFC 9110 §14.1.2). */
function suffixRange(length: number, size: number): RequestedRange {
  if (length === 0) return unsatisfiable
  if (size === 0) return whole
  return { kind: 'range', start: Math.max(size - length, 0), end: size - 1 }
}

/**
 * Reads a `Range` header (RFC 9110 §14.2). Several ranges, other units and malformed values are answered with the
 * whole, as the RFC allows: a multipart answer would cost more than it saves.
 *
 * Of an empty file, `bytes=0-` and suffixes are answered with the whole, too: some clients send them always, and no
 * `Content-Range` can describe an empty range.
 * @param header the header's value, if there is one
 * @param size bytes of the whole
 */
export function parseRange(header: string | undefined, size: number): RequestedRange {
  const member = header === undefined ? null : onlyMember(header)
  if (member === null) return whole
  const { first, last } = member
  if (first === '') return last === '' ? whole : suffixRange(Number(last), size)

  const start = Number(first)
  const end = last === '' ? Infinity : Number(last)
  if (end < start) return whole
  if (start === 0 && size === 0) return whole
  if (start >= size) return unsatisfiable
  return { kind: 'range', start, end: Math.min(end, size - 1) }
}
