import { createHash } from 'node:crypto'
import {
  centralRecord,
  centralRecordLength,
  endRecords,
  endRecordsLength,
  localHeader,
  localHeaderLength,
  type ArchiveEntry,
  type CentralDirectory,
} from './zip-records.ts'

export type { ArchiveEntry } from './zip-records.ts'

/** A part of an archive: bytes that are here, or a range of the stored bytes of one entry. */
export type ArchiveSegment =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'entry'; readonly index: number; readonly start: number; readonly length: number }

/** A zip whose every byte is known before the first is sent. */
export interface ArchiveLayout {
  /** In bytes. */
  readonly size: number
  /** With its quotes; another one whenever any byte would be another. */
  readonly etag: string
  /**
   * What the bytes from `start` to `end`, both included, are made of. Pieces are made as they are asked for.
   * @throws RangeError for a range outside the archive
   */
  pieces(start: number, end: number): Iterable<ArchiveSegment>
}

/** Central directory records are handed out together up to about so many bytes: each alone is a tiny write. */
const batchBytes = 65_536

/** To be raised when the same entries make other bytes than before, so that no client mixes the two. */
const formatVersion = 1

/** The tag comes from what the bytes come from: reading every file for it would cost a download. */
function tagOf(entries: readonly ArchiveEntry[]): string {
  const hash = createHash('sha256').update(`zip ${String(formatVersion)}\n`)
  for (const { name, size, crc32, modified } of entries) {
    hash.update(`${JSON.stringify([name, size, crc32, modified])}\n`)
  }
  return `"${hash.digest('base64url').slice(0, 27)}"`
}

/** Lengths alone, so that asking for the headers of an archive with many files costs next to no memory. */
function measure(entries: readonly ArchiveEntry[]): CentralDirectory {
  let offset = 0
  let size = 0
  for (const entry of entries) {
    size += centralRecordLength(entry, offset)
    offset += localHeaderLength(entry) + entry.size
  }
  return { count: entries.length, size, offset }
}

/** Where each entry begins, in the archive and in its central directory; one place more than there are entries. */
interface Places {
  readonly local: Float64Array
  readonly central: Float64Array
}

function placesOf(entries: readonly ArchiveEntry[], directory: CentralDirectory): Places {
  const local = new Float64Array(entries.length + 1)
  const central = new Float64Array(entries.length + 1)
  let offset = 0
  let record = directory.offset
  entries.forEach((entry, index) => {
    local[index] = offset
    central[index] = record
    record += centralRecordLength(entry, offset)
    offset += localHeaderLength(entry) + entry.size
  })
  local[entries.length] = offset
  central[entries.length] = record
  return { local, central }
}

/** The last of ascending places that is not after a position, by halving. The first must not be after it. */
function lastAt(places: Float64Array, position: number): number {
  let low = 0
  let high = places.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((places[middle] ?? Infinity) <= position) low = middle
    else high = middle - 1
  }
  return low
}

/** A stretch of the archive, whose bytes are only made when some of them are wanted. */
interface Part {
  readonly at: number
  readonly length: number
  /** From one byte of the part up to another, the latter not included. */
  readonly cut: (from: number, to: number) => ArchiveSegment
}

function bytesPart(at: number, length: number, build: () => Uint8Array): Part {
  return { at, length, cut: (from, to) => ({ kind: 'bytes', bytes: build().subarray(from, to) }) }
}

/** Headers and contents, from the entry that has a position. */
function* contentParts(
  entries: readonly ArchiveEntry[],
  { local }: Places,
  position: number,
): Iterable<Part> {
  for (let index = lastAt(local, position); index < entries.length; index++) {
    const entry = entries[index]
    const at = local[index]
    if (entry === undefined || at === undefined) return
    const length = localHeaderLength(entry)
    yield bytesPart(at, length, () => localHeader(entry))
    const cut = (from: number, to: number) =>
      ({ kind: 'entry', index, start: from, length: to - from }) as const
    yield { at: at + length, length: entry.size, cut }
  }
}

/** The central directory in batches, from the record that has a position. */
function* directoryParts(entries: readonly ArchiveEntry[], places: Places, position: number): Iterable<Part> {
  const { local, central } = places
  const placeOf = (index: number) => central[index] ?? 0
  let first = lastAt(central, position)
  while (first < entries.length) {
    const at = placeOf(first)
    const next = Math.max(lastAt(central, at + batchBytes), first + 1)
    const batch = entries.slice(first, next)
    const offsets = local.subarray(first, next)
    yield bytesPart(at, placeOf(next) - at, () =>
      Buffer.concat(batch.map((entry, index) => centralRecord(entry, offsets[index] ?? 0))),
    )
    first = next
  }
}

/**
 * Lays out a zip of stored (not compressed) entries, zip64 where sizes, offsets or the count need it. Everything is
 * a pure function of the entries, so the length is known beforehand and any range of bytes can be made again later.
 * @param entries names distinct and safe (see `archiveNames`)
 */
export function archiveLayout(entries: readonly ArchiveEntry[]): ArchiveLayout {
  const directory = measure(entries)
  const directoryEnd = directory.offset + directory.size
  const size = directoryEnd + endRecordsLength(directory)

  function* parts(position: number): Iterable<Part> {
    const places = placesOf(entries, directory)
    if (position < directory.offset) yield* contentParts(entries, places, position)
    if (position < directoryEnd) {
      yield* directoryParts(entries, places, Math.max(position, directory.offset))
    }
    yield bytesPart(directoryEnd, size - directoryEnd, () => endRecords(directory))
  }

  function* pieces(start: number, end: number): Iterable<ArchiveSegment> {
    for (const part of parts(start)) {
      if (part.at > end) return
      const from = Math.max(start - part.at, 0)
      const to = Math.min(end + 1 - part.at, part.length)
      if (from < to) yield part.cut(from, to)
    }
  }

  return {
    size,
    etag: tagOf(entries),
    pieces(start, end) {
      if (!(start >= 0 && start <= end && end < size)) {
        throw new RangeError(`no bytes ${String(start)} to ${String(end)} in an archive of ${String(size)}`)
      }
      return pieces(start, end)
    },
  }
}
