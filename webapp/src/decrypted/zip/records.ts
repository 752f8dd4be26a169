/** Records of a zip whose entries are stored as they come: their checksums follow them. Sections are those of APPNOTE 6.3.10. */

/** What is known of an entry before its content. */
export interface EntryHead {
  /** As UTF-8; `/` between folders. */
  readonly name: Uint8Array
  readonly modified: Date
  /** Whether its sizes may need 64 bits. */
  readonly large: boolean
  /** Where its local header begins, in bytes. */
  readonly offset: number
}

/** What is known of it afterwards. */
export interface WrittenEntry extends EntryHead {
  readonly size: number
  readonly crc: number
}

const full16 = 0xffff
const full32 = 0xffffffff
/** Bit 3: size and checksum come after the content; bit 11: names are UTF-8 (§4.4.4). */
const flags = (1 << 3) | (1 << 11)
const versionOf = (large: boolean) => (large ? 45 : 20)
/** Unix, so that the attributes are understood: a regular file that its owner may write and everybody may read. */
const madeBy = (3 << 8) | 45
const attributes = 0o100644 * 0x10000

type Field = readonly [bytes: 2 | 4 | 8, value: number]

/** Fields one after the other, the lowest byte first. */
function record(fields: readonly Field[], ...rest: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const fixed = fields.reduce((sum, [bytes]) => sum + bytes, 0)
  const all = new Uint8Array(rest.reduce((sum, { length }) => sum + length, fixed))
  const view = new DataView(all.buffer)
  let at = 0
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true)
    else if (bytes === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += bytes
  }
  for (const bytes of rest) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all
}

/** Two-second steps since 1980, in UTC, as the server's archives have them (§4.4.6). */
function dosTime(date: Date): readonly Field[] {
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  return [
    [2, time],
    [2, day],
  ]
}

/** Values for which their places in a header are too short (§4.5.3). */
const zip64Extra = (values: readonly number[]): Uint8Array =>
  values.length === 0
    ? new Uint8Array()
    : record([[2, 1], [2, 8 * values.length], ...values.map((value) => [8, value] as const)])

/** §4.3.7. The sizes are zero, also in the extra field: they follow the content. */
export function localHeader({ name, modified, large }: EntryHead): Uint8Array<ArrayBuffer> {
  const extra = zip64Extra(large ? [0, 0] : [])
  const size = large ? full32 : 0
  return record(
    [
      ...([
        [4, 0x04034b50],
        [2, versionOf(large)],
        [2, flags],
        [2, 0],
      ] as const),
      ...dosTime(modified),
      ...([
        [4, 0],
        [4, size],
        [4, size],
        [2, name.length],
        [2, extra.length],
      ] as const),
    ],
    name,
    extra,
  )
}

/** §4.3.9. */
export function dataDescriptor({ crc, size, large }: WrittenEntry): Uint8Array<ArrayBuffer> {
  const width = large ? 8 : 4
  return record([
    [4, 0x08074b50],
    [4, crc],
    [width, size],
    [width, size],
  ])
}

/** §4.3.12. */
export function centralRecord(entry: WrittenEntry): Uint8Array<ArrayBuffer> {
  const { name, modified, large, offset, size, crc } = entry
  const extra = zip64Extra([...(large ? [size, size] : []), ...(offset >= full32 ? [offset] : [])])
  const shown = large ? full32 : size
  return record(
    [
      ...([
        [4, 0x02014b50],
        [2, madeBy],
        [2, versionOf(extra.length > 0)],
        [2, flags],
        [2, 0],
      ] as const),
      ...dosTime(modified),
      ...([
        [4, crc],
        [4, shown],
        [4, shown],
        [2, name.length],
        [2, extra.length],
      ] as const),
      // No comment, the first disk, unknown content.
      ...([
        [2, 0],
        [2, 0],
        [2, 0],
        [4, attributes],
        [4, Math.min(offset, full32)],
      ] as const),
    ],
    name,
    extra,
  )
}

/** What comes after the central directory (§4.3.14 to §4.3.16), in its long form where it is needed. */
export function endRecords(count: number, size: number, offset: number): Uint8Array<ArrayBuffer> {
  const end: readonly Field[] = [
    ...([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
    ] as const),
    ...([
      [2, Math.min(count, full16)],
      [2, Math.min(count, full16)],
    ] as const),
    ...([
      [4, Math.min(size, full32)],
      [4, Math.min(offset, full32)],
      [2, 0],
    ] as const),
  ]
  if (count < full16 && size < full32 && offset < full32) return record(end)
  return record([
    ...([
      [4, 0x06064b50],
      [8, 44],
      [2, madeBy],
      [2, 45],
      [4, 0],
      [4, 0],
    ] as const),
    ...([
      [8, count],
      [8, count],
      [8, size],
      [8, offset],
    ] as const),
    ...([
      [4, 0x07064b50],
      [4, 0],
      [8, offset + size],
      [4, 1],
    ] as const),
    ...end,
  ])
}
