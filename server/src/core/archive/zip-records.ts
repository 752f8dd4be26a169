import { fieldWriter, type FieldWriter } from './field-writer.ts'

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

/** Section numbers below are those of the ZIP application note (APPNOTE 6.3.10). */
const signatures = {
  local: 0x04034b50,
  central: 0x02014b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
  end: 0x06054b50,
} as const

/** A field with all bits set refers to the zip64 record (§4.4.1.4), so it cannot be a value itself. */
const full16 = 0xffff
const full32 = 0xffffffff

const versionPlain = 20
const versionZip64 = 45
/**
 * Unix in the upper byte: then tools do not use an old code page for names, and understand the attributes below.
 */
const madeBy = (3 << 8) | versionZip64
/** A regular file that its owner may write and everyone may read. */
const attributes = 0o100644 * 0x10000
const utf8Names = 1 << 11
/** Compression method 0. */
const stored = 0

const localFixed = 30
const centralFixed = 46
const timestampExtra = 9
const endFixed = 22
const zip64EndFixed = 56
const zip64LocatorFixed = 20

interface DosTime {
  readonly time: number
  readonly date: number
}

/** Two-second steps from 1980 to 2107, in UTC, so that equal files make equal archives everywhere (§4.4.6). */
function dosTime(modified: number): DosTime {
  const from = Date.UTC(1980, 0, 1)
  const to = Date.UTC(2107, 11, 31, 23, 59, 58)
  const at = new Date(Math.min(Math.max(modified, from), to))
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}

/** The exact second as signed 32 bits, if it fits: tools read it as UTC, unlike the DOS time. */
function timestamp(modified: number): number | null {
  const seconds = Math.floor(modified / 1000)
  return seconds === (seconds | 0) ? seconds : null
}

/** Writes the fields that local and central header share, from the version to the sizes (§4.4.3 to §4.4.9). */
function writeCommon(to: FieldWriter, entry: ArchiveEntry, zip64: boolean): void {
  const { time, date } = dosTime(entry.modified)
  to.u16(zip64 ? versionZip64 : versionPlain)
  to.u16(utf8Names)
  to.u16(stored)
  to.u16(time)
  to.u16(date)
  to.u32(entry.crc32)
  to.u32(Math.min(entry.size, full32))
  to.u32(Math.min(entry.size, full32))
}

/** Writes the extra fields: values that are too large for the header (§4.5.3), and the time (`UT`). */
function writeExtras(to: FieldWriter, entry: ArchiveEntry, large: readonly number[]): void {
  if (large.length > 0) {
    to.u16(0x0001)
    to.u16(8 * large.length)
    large.forEach(to.u64)
  }
  const seconds = timestamp(entry.modified)
  if (seconds === null) return
  const modificationTimeOnly = 1
  to.u16(0x5455)
  to.u16(timestampExtra - 4)
  to.u8(modificationTimeOnly)
  to.i32(seconds)
}

const extrasLength = (entry: ArchiveEntry, large: readonly number[]) =>
  (large.length > 0 ? 4 + 8 * large.length : 0) + (timestamp(entry.modified) === null ? 0 : timestampExtra)

/** Both sizes, compressed and uncompressed, if one is too large: they are equal here. */
const largeSizes = ({ size }: ArchiveEntry) => (size >= full32 ? [size, size] : [])
const largeCentral = (entry: ArchiveEntry, offset: number) => [
  ...largeSizes(entry),
  ...(offset >= full32 ? [offset] : []),
]

/** The length of a local file header, in bytes. @throws RangeError for a name that is too long for a zip */
export function localHeaderLength(entry: ArchiveEntry): number {
  const name = Buffer.byteLength(entry.name)
  if (name > full16) throw new RangeError(`a name of ${String(name)} bytes does not fit into an archive`)
  return localFixed + name + extrasLength(entry, largeSizes(entry))
}

/** A local file header (§4.3.7). The stored bytes follow it, and nothing after them: size and CRC are in it. */
export function localHeader(entry: ArchiveEntry): Uint8Array {
  const large = largeSizes(entry)
  const to = fieldWriter(localHeaderLength(entry))
  to.u32(signatures.local)
  writeCommon(to, entry, large.length > 0)
  to.u16(Buffer.byteLength(entry.name))
  to.u16(extrasLength(entry, large))
  to.text(entry.name)
  writeExtras(to, entry, large)
  return to.bytes
}

/** The length of a central directory record, in bytes. @param offset of the entry's local header */
export function centralRecordLength(entry: ArchiveEntry, offset: number): number {
  return centralFixed + Buffer.byteLength(entry.name) + extrasLength(entry, largeCentral(entry, offset))
}

/** A central directory record (§4.3.12). @param offset of the entry's local header */
export function centralRecord(entry: ArchiveEntry, offset: number): Uint8Array {
  const large = largeCentral(entry, offset)
  const to = fieldWriter(centralRecordLength(entry, offset))
  to.u32(signatures.central)
  to.u16(madeBy)
  writeCommon(to, entry, large.length > 0)
  to.u16(Buffer.byteLength(entry.name))
  to.u16(extrasLength(entry, large))
  to.u16(0) // no comment
  to.u16(0) // first disk
  to.u16(0) // internal attributes: unknown content
  to.u32(attributes)
  to.u32(Math.min(offset, full32))
  to.text(entry.name)
  writeExtras(to, entry, large)
  return to.bytes
}

/** The size and the offset of the central directory. */
export interface CentralDirectory {
  readonly count: number
  /** In bytes. */
  readonly size: number
  readonly offset: number
}

const needsZip64 = ({ count, size, offset }: CentralDirectory) =>
  count >= full16 || size >= full32 || offset >= full32

/** The length of the records after the central directory, in bytes. */
export function endRecordsLength(directory: CentralDirectory): number {
  return endFixed + (needsZip64(directory) ? zip64EndFixed + zip64LocatorFixed : 0)
}

/** The end of the central directory (§4.3.16), with its zip64 forms (§4.3.14, §4.3.15) where they are needed. */
export function endRecords(directory: CentralDirectory): Uint8Array {
  const { count, size, offset } = directory
  const to = fieldWriter(endRecordsLength(directory))
  if (needsZip64(directory)) {
    to.u32(signatures.zip64End)
    to.u64(zip64EndFixed - 12) // what follows this field
    to.u16(madeBy)
    to.u16(versionZip64)
    to.u32(0) // this disk
    to.u32(0) // disk of the directory
    to.u64(count)
    to.u64(count)
    to.u64(size)
    to.u64(offset)
    to.u32(signatures.zip64Locator)
    to.u32(0) // disk of the zip64 end
    to.u64(offset + size)
    to.u32(1) // disks
  }
  to.u32(signatures.end)
  to.u16(0) // this disk
  to.u16(0) // disk of the directory
  to.u16(Math.min(count, full16))
  to.u16(Math.min(count, full16))
  to.u32(Math.min(size, full32))
  to.u32(Math.min(offset, full32))
  to.u16(0) // no comment
  return to.bytes
}
