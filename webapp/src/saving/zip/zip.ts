import {
  centralRecord,
  crc32,
  dataDescriptor,
  endRecords,
  isLargeSize,
  localHeader,
  type ZipEntry,
} from '@svc/contract/zip'

type Bytes = Uint8Array<ArrayBuffer>

/** A file to add to a zip. */
export interface ZipFile {
  /** A safe path, unique in the zip (`archiveNames`). At most 65,535 bytes of UTF-8. */
  readonly name: string
  readonly modified: Date
  /** Bytes of the content; undefined while unknown. */
  readonly size: number | undefined
  readonly content: AsyncIterable<Bytes>
}

/**
 * A zip of streams of any size, stored without compression.
 * @throws errors of a content; RangeError when one is longer than declared, beyond 4 GiB
 */
export async function* zipOf(entries: AsyncIterable<ZipFile>): AsyncGenerator<Bytes, void> {
  const written: { readonly entry: ZipEntry; readonly offset: number }[] = []
  let at = 0
  const counted = (bytes: Bytes) => {
    at += bytes.length
    return bytes
  }
  for await (const { name, modified, size: declared, content } of entries) {
    const large = declared === undefined || isLargeSize(declared)
    const offset = at
    const head = {
      name: new TextEncoder().encode(name),
      extra: new Uint8Array(),
      modified: modified.getTime(),
      large,
      streamed: true,
      size: 0,
      crc32: 0,
    }
    yield counted(localHeader(head))
    let [size, checksum] = [0, 0]
    for await (const bytes of content) {
      size += bytes.length
      checksum = crc32(bytes, checksum)
      yield counted(bytes)
    }
    if (!large && isLargeSize(size)) throw new RangeError('a file is larger than declared')
    const entry = { ...head, size, crc32: checksum }
    written.push({ entry, offset })
    yield counted(dataDescriptor(entry))
  }
  const directory = at
  for (const { entry, offset } of written) yield counted(centralRecord(entry, offset))
  yield endRecords({ count: written.length, size: at - directory, offset: directory })
}
