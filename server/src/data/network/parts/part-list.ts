import { StoreUnavailableError, type ResumePoint } from '../../backend/backend.ts'

/** A stored part of an unfinished file: an object of the store. */
export interface ListedPart {
  /** Unique among all parts of a file, removed ones included. */
  readonly id: string
  /** Bytes; at least one. */
  readonly size: number
}

/** The parts of an unfinished file. */
export interface PartList {
  /** In the order of their bytes. */
  readonly parts: readonly ListedPart[]
  /** Ids of parts that were merged into others. Once this list is committed, they are not needed any more. */
  readonly superseded: readonly string[]
}

/** Random characters of an id, so that concurrent appends never use the same name. */
export const suffixLength = 8

/** With its separator, a part takes at most 25 characters, and usually 15: the list fits a session of 32 KiB. */
export const maxParts = 1000
const maxSuperseded = 400

const paddedOffset = (offset: number) => String(offset).padStart(16, '0')

/**
 * The id of a part, which begins with the size of the file once the part is stored. The ids of the parts of a resume point
 * begin with at most its offset; those of parts that were written later begin with more.
 */
export const partId = (offset: number, suffix: string) => `${paddedOffset(offset)}-${suffix}`

/** Sorts after the ids of all parts of a resume point with this offset, and before those of later parts. */
export const idAfter = (offset: number) => `${paddedOffset(offset)}~`

const offsetIn = (id: string) => Number(id.slice(0, 16))
const suffixIn = (id: string) => id.slice(17)

/** The parts as text. It contains the offset of an id only if that differs from the end of the part. */
export function formatPartList({ parts, superseded }: PartList): ResumePoint {
  let offset = 0
  const current = parts.map(({ id, size }) => {
    offset += size
    const at = offsetIn(id)
    return `${suffixIn(id)}${size.toString(36)}${at === offset ? '' : `.${at.toString(36)}`}`
  })
  // Finishing or discarding the file removes those that are left out here.
  const removed = superseded.slice(-maxSuperseded).map((id) => `${suffixIn(id)}${offsetIn(id).toString(36)}`)
  return { offset, session: `1;${current.join()};${removed.join()}` }
}

/** @throws StoreUnavailableError when the text has another format */
export function parsePartList(stored: ResumePoint): PartList {
  if (stored.offset === 0 && stored.session === '') return { parts: [], superseded: [] }
  const [version, current = '', removed = ''] = stored.session.split(';')
  let offset = 0
  const parts = entries(current).map(([, suffix = '', digits = '', at]) => {
    const size = parseInt(digits, 36)
    offset += size
    return { id: partId(at === undefined ? offset : parseInt(at, 36), suffix), size }
  })
  const superseded = entries(removed).map(([, suffix = '', at = '']) => partId(parseInt(at, 36), suffix))
  if (version !== '1' || offset !== stored.offset)
    throw new StoreUnavailableError('what was kept of an unfinished file cannot be read')
  return { parts, superseded }
}

const entry = /^([0-9A-Za-z]{8})([0-9a-z]+)(?:\.([0-9a-z]+))?$/

function entries(text: string): readonly (readonly (string | undefined)[])[] {
  if (text === '') return []
  return text.split(',').map((part) => {
    const found = entry.exec(part)
    if (found === null) throw new StoreUnavailableError('what was kept of an unfinished file cannot be read')
    return found
  })
}
