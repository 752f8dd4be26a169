import { fieldWriter, type FieldWriter } from './field-writer.ts'

/**
 * Records of a zip whose entries are stored, not compressed. Section numbers are those of the ZIP application note, version
 * 6.3.10 (APPNOTE).
 */

/** What the length of an entry's records depends on. Lengths are in bytes. */
export interface EntryLengths {
  /** At most 65,535 bytes. */
  readonly name: { readonly length: number }
  /** Extra fields in addition to those of zip64 (APPNOTE §4.5). */
  readonly extra: { readonly length: number }
  /** Whether the sizes are in 64 bits. */
  readonly large: boolean
}

export interface ZipEntry extends EntryLengths {
  /** As UTF-8, `/` between folders. */
  readonly name: Uint8Array
  readonly extra: Uint8Array
  /** In ms since the epoch. */
  readonly modified: number
  /** In bytes. */
  readonly size: number
  readonly crc32: number
  /** Whether size and checksum follow the content, in a data descriptor. */
  readonly streamed: boolean
}

const signatures = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  central: 0x02014b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
  end: 0x06054b50,
} as const

/** A field with all bits set refers to the zip64 record (APPNOTE §4.4.1.4), so it cannot be a value itself. */
const full16 = 0xffff
const full32 = 0xffffffff

/** Whether a size needs 64 bits. */
export const isLargeSize = (size: number): boolean => size >= full32

const versionPlain = 20
const versionZip64 = 45
/**
 * Unix in the upper byte: then tools do not use an old code page for names, and understand the attributes below.
 */
const madeBy = (3 << 8) | versionZip64
/** A regular file that its owner may write and everyone may read. */
const attributes = 0o100644 * 0x10000
const descriptorFlag = 1 << 3
const utf8Names = 1 << 11
/** Compression method 0. */
const stored = 0

const localFixed = 30
const centralFixed = 46
const endFixed = 22
const zip64EndFixed = 56
const zip64LocatorFixed = 20

interface DosTime {
  readonly time: number
  readonly date: number
}

/** Two-second steps from 1980 to 2107, in UTC, so that equal files make equal archives everywhere (APPNOTE §4.4.6). */
function dosTime(modified: number): DosTime {
  const from = Date.UTC(1980, 0, 1)
  const to = Date.UTC(2107, 11, 31, 23, 59, 58)
  const at = new Date(Math.min(Math.max(modified, from), to))
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}

const zip64Length = (count: number) => (count === 0 ? 0 : 4 + 8 * count)
const sizesCount = ({ large }: EntryLengths) => (large ? 2 : 0)
const offsetCount = (offset: number) => (offset >= full32 ? 1 : 0)

/** Writes the fields that local and central header share, from the version to the lengths (APPNOTE §4.4.3 to §4.4.11). */
function writeCommon(to: FieldWriter, entry: ZipEntry, large: readonly number[]): void {
  const { time, date } = dosTime(entry.modified)
  to.u16(large.length > 0 ? versionZip64 : versionPlain)
  to.u16(utf8Names | (entry.streamed ? descriptorFlag : 0))
  to.u16(stored)
  to.u16(time)
  to.u16(date)
  to.u32(entry.crc32)
  // Both sizes, compressed and uncompressed: they are equal here.
  to.u32(entry.large ? full32 : entry.size)
  to.u32(entry.large ? full32 : entry.size)
  to.u16(entry.name.length)
  to.u16(zip64Length(large.length) + entry.extra.length)
}

/** Writes the name and the extra fields, first the values that are too large for the header (APPNOTE §4.5.3). */
function writeVariable(to: FieldWriter, { name, extra }: ZipEntry, large: readonly number[]): void {
  to.raw(name)
  if (large.length > 0) {
    to.u16(0x0001)
    to.u16(8 * large.length)
    large.forEach(to.u64)
  }
  to.raw(extra)
}

export const localHeaderLength = (entry: EntryLengths): number =>
  localFixed + entry.name.length + zip64Length(sizesCount(entry)) + entry.extra.length

/** A local file header (APPNOTE §4.3.7). The content follows it, and then the data descriptor of a streamed entry. */
export function localHeader(entry: ZipEntry): Uint8Array<ArrayBuffer> {
  const known = entry.streamed ? { ...entry, size: 0, crc32: 0 } : entry
  const large = entry.large ? [known.size, known.size] : []
  const to = fieldWriter(localHeaderLength(entry))
  to.u32(signatures.local)
  writeCommon(to, known, large)
  writeVariable(to, known, large)
  return to.bytes
}

/** The data descriptor of a streamed entry (APPNOTE §4.3.9). */
export function dataDescriptor({
  crc32,
  size,
  large,
}: Pick<ZipEntry, 'crc32' | 'size' | 'large'>): Uint8Array<ArrayBuffer> {
  const to = fieldWriter(large ? 24 : 16)
  to.u32(signatures.descriptor)
  to.u32(crc32)
  const writeSize = large ? to.u64 : to.u32
  writeSize(size)
  writeSize(size)
  return to.bytes
}

/** @param offset offset of the entry's local header */
export const centralRecordLength = (entry: EntryLengths, offset: number): number =>
  centralFixed + entry.name.length + zip64Length(sizesCount(entry) + offsetCount(offset)) + entry.extra.length

/**
 * A central directory record (APPNOTE §4.3.12).
 * @param offset offset of the entry's local header
 */
export function centralRecord(entry: ZipEntry, offset: number): Uint8Array<ArrayBuffer> {
  const large = [
    ...(entry.large ? [entry.size, entry.size] : []),
    ...(offsetCount(offset) > 0 ? [offset] : []),
  ]
  const to = fieldWriter(centralRecordLength(entry, offset))
  to.u32(signatures.central)
  to.u16(madeBy)
  writeCommon(to, entry, large)
  to.u16(0) // no comment
  to.u16(0) // first disk
  to.u16(0) // internal attributes: unknown content
  to.u32(attributes)
  to.u32(Math.min(offset, full32))
  writeVariable(to, entry, large)
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

/** The end of the central directory (APPNOTE §4.3.16), with its zip64 forms (APPNOTE §4.3.14, §4.3.15) where they are needed. */
export function endRecords(directory: CentralDirectory): Uint8Array<ArrayBuffer> {
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
