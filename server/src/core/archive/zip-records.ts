import * as zip from '@svc/contract/zip'

/** One stored file of a zip. */
export interface ArchiveEntry {
  /** Path within the archive, `/` between folders. At most 65,535 bytes of UTF-8. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly crc32: number
  /** In ms since the epoch. */
  readonly modified: number
}

const maxNameBytes = 0xffff
const timestampLength = 9

/** The exact second as signed 32 bits, if it fits: tools read it as UTC, unlike the DOS time. */
function secondsOf({ modified }: ArchiveEntry): number | null {
  const seconds = Math.floor(modified / 1000)
  return seconds === (seconds | 0) ? seconds : null
}

/** The extra field of the time (`UT`). */
function timestamp(entry: ArchiveEntry): Uint8Array {
  const seconds = secondsOf(entry)
  if (seconds === null) return new Uint8Array()
  const modificationTimeOnly = 1
  const field = Buffer.alloc(timestampLength)
  field.writeUInt16LE(0x5455, 0)
  field.writeUInt16LE(timestampLength - 4, 2)
  field.writeUInt8(modificationTimeOnly, 4)
  field.writeInt32LE(seconds, 5)
  return field
}

/** Lengths without the bytes themselves: a large archive is measured before it is written. */
const lengthsOf = (entry: ArchiveEntry): zip.EntryLengths => ({
  name: { length: Buffer.byteLength(entry.name) },
  extra: { length: secondsOf(entry) === null ? 0 : timestampLength },
  large: zip.isLargeSize(entry.size),
})

const recordOf = (entry: ArchiveEntry): zip.ZipEntry => ({
  ...entry,
  name: Buffer.from(entry.name),
  extra: timestamp(entry),
  large: zip.isLargeSize(entry.size),
  streamed: false,
})

/**
 * The length of a local file header, in bytes.
 * @throws RangeError for a name that is too long for a zip
 */
export function localHeaderLength(entry: ArchiveEntry): number {
  const lengths = lengthsOf(entry)
  const { length } = lengths.name
  if (length > maxNameBytes)
    throw new RangeError(`a name of ${String(length)} bytes does not fit into an archive`)
  return zip.localHeaderLength(lengths)
}

/** A local file header. It contains size and CRC, so that only the stored bytes follow it. */
export const localHeader = (entry: ArchiveEntry): Uint8Array => zip.localHeader(recordOf(entry))

/**
 * The length of a central directory record, in bytes.
 * @param offset offset of the entry's local header
 */
export const centralRecordLength = (entry: ArchiveEntry, offset: number): number =>
  zip.centralRecordLength(lengthsOf(entry), offset)

/**
 * A central directory record.
 * @param offset offset of the entry's local header
 */
export const centralRecord = (entry: ArchiveEntry, offset: number): Uint8Array =>
  zip.centralRecord(recordOf(entry), offset)
