/** A parsed `Range` header; `start` and `end` are the first and the last byte, both inclusive. */
export type RequestedRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'range'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }

const whole: RequestedRange = { kind: 'whole' }
const unsatisfiable: RequestedRange = { kind: 'unsatisfiable' }

/** The only range of a byte range set: its two numbers as sent; either can be empty. */
function onlyMember(header: string): { readonly first: string; readonly last: string } | null {
  const set = /^bytes=(.*)$/i.exec(header.trim())?.[1] ?? ''
  // Empty list members are ignored (RFC 9110 §5.6.1.2).
  const [member, ...others] = set.split(',').flatMap((part) => part.trim() || [])
  if (member === undefined || others.length > 0) return null
  const [, first, last] = /^(\d*)-(\d*)$/.exec(member) ?? []
  if (first === undefined || last === undefined) return null
  return { first, last }
}

/** The last bytes; a length beyond the size means all bytes (RFC 9110 §14.1.2). */
function suffixRange(length: number, size: number): RequestedRange {
  if (length === 0) return unsatisfiable
  if (size === 0) return whole
  return { kind: 'range', start: Math.max(size - length, 0), end: size - 1 }
}

/**
 * Reads a `Range` header (RFC 9110 §14.2). Several ranges, other units and malformed values get the whole content, as
 * the RFC allows: a multipart response would cost more than it saves.
 *
 * For an empty file, `bytes=0-` and suffixes get the whole content, too: some clients always send them, and no
 * `Content-Range` can describe an empty range.
 * @param header the header's value, if there is one
 * @param size size of the content in bytes
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
