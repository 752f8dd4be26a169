import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { fileBytes } from './file-bytes.ts'
import type { Item } from './item.ts'

/**
 * All items as a zip archive, made while it is read: names in UTF-8, sizes of 64 bits where they need them. Unlike a tar
 * archive it tells a size after the bytes, so that what comes out of a pipe can be a part of it.
 */
export function zipOf(items: readonly Item[]): Readable {
  const zip = new ZipFile()
  const archive = zip.outputStream
  if (!(archive instanceof Readable)) throw new TypeError('an archive is a stream of this Node')
  zip.on('error', (error: Error) => {
    archive.destroy(error)
  })
  for (const item of items) add(zip, item, archive)
  zip.end()
  return archive
}

function add(zip: ZipFile, item: Item, archive: Readable): void {
  const options = {
    mode: 0o100644,
    ...(item.kind === 'file' && { size: item.size, mtime: new Date(Number(item.changedAt / 1_000_000n)) }),
  }
  zip.addReadStreamLazy(item.name, options, (give) => {
    const bytes = item.kind === 'file' ? Readable.from(fileBytes(item), { objectMode: false }) : item.open()
    // What a pipe loses on its way is told by the archive, and whoever wants no more lets go of the file.
    bytes.once('error', (error) => {
      archive.destroy(error)
    })
    archive.once('close', () => {
      bytes.destroy()
    })
    give(null, bytes)
  })
}
