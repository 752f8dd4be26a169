import { pipeline, Readable } from 'node:stream'
import zlib from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import type { ArchiveFormat } from '../../arguments/archive-format.ts'
import { usageFailure } from '../../errors/failure.ts'
import { throughProgram } from '../../files/filter-program.ts'
import {
  changeDate,
  type Entry,
  type FileItem,
  type FolderEntry,
  type LinkEntry,
  type StreamItem,
} from '../../files/item.ts'
import { fileBytes, isSmall, smallFile } from './file-bytes.ts'

/** What a tar archive contains: its size must be known. */
type TarEntry = Exclude<Entry, StreamItem>

/**
 * All entries as a tar archive, which is written while it is read.
 * @throws Failure for entries whose size is unknown
 */
export function tarOf(entries: readonly Entry[], format: Exclude<ArchiveFormat, 'zip'>): () => Readable {
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
    const bytes = Readable.from(inBlocks(archive as AsyncIterable<Buffer>), { objectMode: false })
    if (format === 'tar.xz' || format === 'tar.bz2')
      return Readable.from(throughProgram(programs[format], bytes as AsyncIterable<Buffer>), {
        objectMode: false,
      })
    const compress = compressor(format)
    // Errors reach the returned stream.
    return compress === undefined ? bytes : pipeline(bytes, compress, () => undefined)
  }
}

/** Programs that compress a pipe. */
const programs = { 'tar.xz': ['xz', '--stdout'], 'tar.bz2': ['bzip2', '--stdout'] } as const

function compressor(format: Exclude<ArchiveFormat, 'zip' | keyof typeof programs>) {
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
  for (const { entry, bytes } of readAhead(entries))
    if (bytes === undefined) await addEmpty(archive, entry)
    else await addFile(archive, entry, bytes)
  archive.finalize()
}

/** Entries of an archive, files with their bytes. */
type Content =
  | { readonly entry: FolderEntry | LinkEntry; readonly bytes?: undefined }
  | { readonly entry: FileItem; readonly bytes: AsyncIterable<Buffer> }

/** Small files that are read while earlier ones are sent: 4 MiB at most. */
const filesAhead = 64

/** Reads small files in parallel, as most of their time is waiting for the file system. */
function* readAhead(entries: readonly TarEntry[]): Generator<Content> {
  const ahead: Content[] = []
  for (const entry of entries) {
    ahead.push(contentOf(entry))
    const first = ahead.length > filesAhead ? ahead.shift() : undefined
    if (first !== undefined) yield first
  }
  yield* ahead
}

function contentOf(entry: TarEntry): Content {
  if (entry.kind !== 'file') return { entry }
  return { entry, bytes: isSmall(entry) ? chunkOf(smallFile(entry)) : fileBytes(entry) }
}

function chunkOf(bytes: Promise<Buffer>): AsyncIterable<Buffer> {
  // An error counts when it is the file's turn, or never if the archive ends before.
  bytes.catch(ignoreError)
  return (async function* () {
    yield await bytes
  })()
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

async function addFile(archive: Pack, file: FileItem, bytes: AsyncIterable<Buffer>): Promise<void> {
  const mtime = changeDate(file)
  const entry = archive.entry({ name: file.name, size: file.size, mtime, mode: file.mode })
  entry.on('error', ignoreError)
  for await (const chunk of bytes) {
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

const blockBytes = 64 * 1024

/** Joins the small chunks of an archive: each chunk is a system call when it is sent. */
async function* inBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let joined: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    joined.push(chunk)
    bytes += chunk.length
    if (bytes < blockBytes) continue
    yield joined.length === 1 ? chunk : Buffer.concat(joined, bytes)
    joined = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(joined, bytes)
}
