import { crc32 } from './crc32.ts'
import { centralRecord, dataDescriptor, endRecords, localHeader, type WrittenEntry } from './records.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A file on its way into a zip. */
export interface ZipEntry {
  /** A safe path, unlike every other of the zip (`archiveNames`). At most 65,535 bytes of UTF-8. */
  readonly name: string
  readonly modified: Date
  /** Bytes of the content; undefined while unknown. */
  readonly size: number | undefined
  readonly content: AsyncIterable<Bytes>
}

/** From here on, sizes need 64 bits. */
const largeSize = 0xffffffff

/**
 * A zip of files as they come, stored and not compressed, of any size. What is encrypted looks random, and what people
 * encrypt is mostly compressed already.
 * @throws errors of a content; RangeError when one is longer than was said, past 4 GiB
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Bytes, void> {
  const written: WrittenEntry[] = []
  let at = 0
  const counted = (bytes: Bytes) => {
    at += bytes.length
    return bytes
  }
  for await (const { name, modified, size: declared, content } of entries) {
    const large = declared === undefined || declared >= largeSize
    const head = { name: new TextEncoder().encode(name), modified, large, offset: at }
    yield counted(localHeader(head))
    let [size, crc] = [0, 0]
    for await (const bytes of content) {
      size += bytes.length
      crc = crc32(bytes, crc)
      yield counted(bytes)
    }
    if (!large && size >= largeSize) throw new RangeError('a file is larger than was said')
    const entry = { ...head, size, crc }
    written.push(entry)
    yield counted(dataDescriptor(entry))
  }
  const directory = at
  for (const entry of written) yield counted(centralRecord(entry))
  yield endRecords(written.length, at - directory, directory)
}
