import { basename } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import zlib from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import { usageFailure } from '../errors/failure.ts'
import type { Format } from '../arguments/archive-format.ts'
import { fileBytes } from './file-bytes.ts'
import { changeDate, type FileItem, type Item, type StreamItem } from '../files/item.ts'
import { zipOf } from './zip.ts'

/** Commands that unpack an archive from a pipe; there is none for zip. */
const unpackers: Readonly<Record<Exclude<Format, 'zip'>, readonly string[]>> = {
  tar: ['tar', 'x'],
  'tar.gz': ['tar', 'xz'],
  'tar.zst': ['tar', '--zstd', '-x'],
}

/**
 * All files as one archive, which is written while it is sent, and is neither on the disk nor completely in memory.
 * @param name of the archive with its extension; by default that of the only path
 * @throws Failure when files have equal names
 */
export function archiveOf(items: readonly Item[], format: Format, name: string | undefined): StreamItem {
  requireDistinct(items.map((item) => item.name))
  return {
    kind: 'stream',
    name: name ?? `${nameOf(items)}.${format}`,
    ...(format === 'zip'
      ? { open: () => zipOf(items) }
      : { open: tarOf(items, format), unpack: unpackers[format] }),
  }
}

/** @throws Failure when files of several folders have equal names: unpacking would overwrite one of them */
function requireDistinct(names: readonly string[]): void {
  const double = [...Map.groupBy(names, (name) => name).values()].find(({ length }) => length > 1)?.[0]
  if (double !== undefined)
    throw usageFailure(`two files are named ${double}; send their common folder instead`)
}

function tarOf(items: readonly Item[], format: Exclude<Format, 'zip'>): () => Readable {
  const files = items.map((item) => {
    if (item.kind !== 'file')
      throw usageFailure('tar archives need files and folders of known size; use zip for pipes')
    return item
  })
  return () => {
    const archive = pack()
    archive.on('error', ignoreError)
    fill(archive, files).catch((error: unknown) => {
      archive.destroy(error instanceof Error ? error : new Error(String(error)))
    })
    const bytes = Readable.from(archive, { objectMode: false })
    const compress = compressor(format)
    // Errors reach the returned stream.
    return compress === undefined ? bytes : pipeline(bytes, compress, () => undefined)
  }
}

function nameOf(items: readonly Item[]): string {
  const tops = new Set(items.map(({ name }) => name.split('/')[0] ?? name))
  const [only = 'archive'] = tops
  return tops.size === 1 ? basename(only) : 'archive'
}

function compressor(format: Exclude<Format, 'zip'>) {
  switch (format) {
    case 'tar':
      return undefined
    case 'tar.gz':
      return zlib.createGzip()
    case 'tar.zst':
      // Node has it since 22.15.
      if (!Object.hasOwn(zlib, 'createZstdCompress'))
        throw usageFailure('this Node is too old to make tar.zst archives')
      return zlib.createZstdCompress()
  }
}

/** The reader of the archive receives the error; without a listener here, it would end the process. */
const ignoreError = () => undefined

async function fill(archive: Pack, files: readonly FileItem[]): Promise<void> {
  for (const file of files) await add(archive, file)
  archive.finalize()
}

async function add(archive: Pack, file: FileItem): Promise<void> {
  const mtime = changeDate(file)
  const entry = archive.entry({ name: file.name, size: file.size, mtime, mode: file.mode })
  entry.on('error', ignoreError)
  for await (const chunk of fileBytes(file)) {
    if (archive.destroyed) return
    if (!entry.write(chunk))
      await new Promise<void>((resolve) => {
        const proceed = () => {
          resolve()
        }
        entry.once('drain', proceed).once('close', proceed)
      })
  }
  await new Promise<void>((resolve, reject) => {
    entry.once('error', reject)
    entry.once('finish', () => {
      resolve()
    })
    entry.end(undefined)
  })
}
