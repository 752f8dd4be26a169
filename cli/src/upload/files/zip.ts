import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { fileBytes } from './file-bytes.ts'
import { changeDate, type Item } from '../../files/item.ts'

/**
 * All items as a zip archive, written while it is read, with names in UTF-8, and sizes of 64 bits where needed. Unlike a tar
 * archive it writes sizes after the bytes, so that it can contain the output of a pipe.
 */
export function zipOf(items: readonly Item[]): Readable {
  const zip = new ZipFile()
  const archive = zip.outputStream
  if (!(archive instanceof Readable)) throw new TypeError('an archive is a stream of this Node')
  zip.on('error', (error: Error) => {
    archive.destroy(error)
  })
  let current: Readable | undefined
  // If the reader stops, the current file is closed.
  archive.once('close', () => {
    current?.destroy()
  })
  for (const item of items)
    zip.addReadStreamLazy(item.name, optionsOf(item), (callback) => {
      current = bytesOf(item)
      // An error of a file reaches the archive.
      current.once('error', (error) => {
        archive.destroy(error)
      })
      callback(null, current)
    })
  zip.end()
  return archive
}

const bytesOf = (item: Item): Readable =>
  item.kind === 'file' ? Readable.from(fileBytes(item), { objectMode: false }) : item.open()

/** A regular file, in the half of the attributes that Unix programs read. */
const regular = 0o100000

const optionsOf = (item: Item) =>
  item.kind === 'file'
    ? {
        mode: regular | item.mode,
        size: item.size,
        mtime: changeDate(item),
      }
    : { mode: regular | 0o644 }
