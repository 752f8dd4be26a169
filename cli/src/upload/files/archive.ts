import { basename } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import zlib from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import { usageFailure } from '../../errors/failure.ts'
import type { Format } from '../../arguments/archive-format.ts'
import { throughProgram } from '../../files/filter-program.ts'
import { fileBytes } from './file-bytes.ts'
import {
  changeDate,
  isItem,
  type Entry,
  type FileItem,
  type FolderEntry,
  type LinkEntry,
  type StreamItem,
} from '../../files/item.ts'
import { zipOf } from './zip.ts'

/** Commands that unpack an archive from a pipe; there is none for zip. */
const unpackers: Readonly<Record<Exclude<Format, 'zip'>, readonly string[]>> = {
  tar: ['tar', 'x'],
  'tar.gz': ['tar', 'xz'],
  'tar.zst': ['tar', '--zstd', '-x'],
  'tar.xz': ['tar', 'xJ'],
  'tar.bz2': ['tar', 'xj'],
}

/** Whether archives of a format contain folders and symbolic links as such. */
export const keepsLinks = (format: Format): boolean => format !== 'zip'

/**
 * All files as one archive, which is written while it is sent, and is neither on the disk nor completely in memory.
 * @param name of the archive with its extension; by default that of the only path
 * @throws Failure when files have equal names
 */
export function archiveOf(entries: readonly Entry[], format: Format, name: string | undefined): StreamItem {
  requireDistinct(entries.filter(({ kind }) => kind !== 'folder').map((entry) => entry.name))
  return {
    kind: 'stream',
    name: name ?? `${nameOf(entries)}.${format}`,
    ...(format === 'zip'
      ? { open: () => zipOf(entries.filter(isItem)) }
      : { open: tarOf(entries, format), unpack: unpackers[format] }),
  }
}

/** @throws Failure when files of several folders have equal names: unpacking would overwrite one of them */
function requireDistinct(names: readonly string[]): void {
  const double = [...Map.groupBy(names, (name) => name).values()].find(({ length }) => length > 1)?.[0]
  if (double !== undefined)
    throw usageFailure(`two files are named ${double}; send their common folder instead`)
}

/** What a tar archive contains: its size must be known. */
type TarEntry = Exclude<Entry, StreamItem>

function tarOf(entries: readonly Entry[], format: Exclude<Format, 'zip'>): () => Readable {
  const known = entries.map((entry) => {
    if (entry.kind === 'stream')
      throw usageFailure('tar archives need files and folders of known size; use zip for pipes')
    return entry
  })
  return () => {
    const archive = pack()
    archive.on('error', ignoreError)
    fill(archive, known).catch((error: unknown) => {
      archive.destroy(error instanceof Error ? error : new Error(String(error)))
    })
    const bytes = Readable.from(archive, { objectMode: false })
    if (format === 'tar.xz' || format === 'tar.bz2')
      return Readable.from(throughProgram(programs[format], bytes as AsyncIterable<Buffer>), {
        objectMode: false,
      })
    const compress = compressor(format)
    // Errors reach the returned stream.
    return compress === undefined ? bytes : pipeline(bytes, compress, () => undefined)
  }
}

function nameOf(entries: readonly Entry[]): string {
  const tops = new Set(entries.map(({ name }) => name.split('/')[0] ?? name))
  const [only = 'archive'] = tops
  return tops.size === 1 ? basename(only) : 'archive'
}

/** Programs that compress a pipe. */
const programs = { 'tar.xz': ['xz', '--stdout'], 'tar.bz2': ['bzip2', '--stdout'] } as const

function compressor(format: Exclude<Format, 'zip' | keyof typeof programs>) {
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

async function fill(archive: Pack, entries: readonly TarEntry[]): Promise<void> {
  for (const entry of entries)
    switch (entry.kind) {
      case 'file':
        await addFile(archive, entry)
        break
      case 'folder':
      case 'link':
        await addEmpty(archive, entry)
        break
    }
  archive.finalize()
}

/** An entry without content. */
function addEmpty(archive: Pack, entry: FolderEntry | LinkEntry): Promise<void> {
  const { name, mode } = entry
  const mtime = changeDate(entry)
  return new Promise((resolve, reject) => {
    const header =
      entry.kind === 'folder'
        ? ({ type: 'directory', name: `${name}/`, mode, mtime } as const)
        : ({ type: 'symlink', name, linkname: entry.target, mode, mtime } as const)
    archive.entry(header, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}

async function addFile(archive: Pack, file: FileItem): Promise<void> {
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
