import { parseHttpDate } from './http-date.ts'
import { parseRange } from './range.ts'

/** The conditional headers, as Node provides them. */
export interface ConditionalHeaders {
  readonly range?: string | undefined
  readonly 'if-match'?: string | undefined
  readonly 'if-none-match'?: string | undefined
  readonly 'if-modified-since'?: string | undefined
  readonly 'if-unmodified-since'?: string | undefined
  readonly 'if-range'?: string | undefined
}

export interface Validators {
  /** As in the `ETag` header, with its quotes. */
  readonly etag: string
  /** Milliseconds since the epoch; null if another version can have the same date. */
  readonly lastModified: number | null
}

/** `start` and `end` are the first and the last byte, both included. */
export type ConditionalResult =
  | { readonly status: 200 }
  | { readonly status: 206; readonly start: number; readonly end: number }
  | { readonly status: 304 }
  | { readonly status: 416 }

const entityTag = /(?:W\/)?"[^"]*"/g

const opaque = (tag: string) => tag.replace(/^W\//, '')
const isStrong = (tag: string) => tag.startsWith('"')

/** Strong comparison (RFC 9110 §8.8.3.2): the same tag, and neither is weak. */
const sameStrong = (one: string, other: string) => one === other && isStrong(one)

/** Whether a list of tags, or `*`, has a tag that compares equal. */
function listHas(list: string, matches: (tag: string) => boolean): boolean {
  return list.trim() === '*' || (list.match(entityTag) ?? []).some(matches)
}

/** `Last-Modified` has a resolution of seconds. */
const wholeSeconds = (time: number) => Math.floor(time / 1000) * 1000

/** Whether the last modification was not after a date. */
const isUnchangedSince = (since: number, { lastModified }: Validators) =>
  lastModified !== null && wholeSeconds(lastModified) <= since

/** Steps 3 and 4 of RFC 9110 §13.2.2: tags have precedence over a date. */
function isUnchanged(headers: ConditionalHeaders, validators: Validators): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return listHas(tags, (tag) => opaque(tag) === opaque(validators.etag))
  const since = parseHttpDate(headers['if-modified-since'] ?? '')
  return since !== null && isUnchangedSince(since, validators)
}

/** `If-Range` (RFC 9110 §13.1.5): a strong tag, or the exact date. */
function isSameVersion(value: string, { etag, lastModified }: Validators): boolean {
  const validator = value.trim()
  if (validator.endsWith('"')) return sameStrong(validator, etag)
  return lastModified !== null && parseHttpDate(validator) === wholeSeconds(lastModified)
}

/**
 * Whether a range can be sent. It cannot when the client has bytes of another version.
 *
 * `If-Match` and `If-Unmodified-Since` guard writes. Files are never overwritten, so the service has no 412. A client
 * that resumes a download with these headers must not get bytes of two versions: it gets the whole file, which is
 * always allowed instead of a range.
 */
function mayBePartial(headers: ConditionalHeaders, validators: Validators): boolean {
  const ifRange = headers['if-range']
  if (ifRange !== undefined && !isSameVersion(ifRange, validators)) return false
  const tags = headers['if-match']
  if (tags !== undefined) return listHas(tags, (tag) => sameStrong(tag, validators.etag))
  const since = parseHttpDate(headers['if-unmodified-since'] ?? '')
  return since === null || isUnchangedSince(since, validators)
}

/**
 * The response to a GET of stored bytes, in the order of RFC 9110 §13.2.2. For HEAD, omit `range`: it is only defined
 * for GET (RFC 9110 §14.2).
 * @param size bytes of the whole
 */
export function evaluate(
  headers: ConditionalHeaders,
  validators: Validators,
  size: number,
): ConditionalResult {
  if (isUnchanged(headers, validators)) return { status: 304 }
  if (!mayBePartial(headers, validators)) return { status: 200 }
  const range = parseRange(headers.range, size)
  switch (range.kind) {
    case 'whole':
      return { status: 200 }
    case 'unsatisfiable':
      return { status: 416 }
    case 'range':
      return { status: 206, start: range.start, end: range.end }
  }
}
