import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { sniffBytes } from '../../core/uploads/media-type/sniff-type.ts'
import { readingSource } from './unreadable-source.ts'

/** Reads the bytes of a file; undefined when there are none. */
export type OpenContent = () => Promise<AsyncIterable<Uint8Array> | undefined>

/** The hashes and the size of bytes that were read. */
export interface FileContent {
  readonly size: number
  readonly md5: string
  /** Empty unless it is asked for. */
  readonly sha1: string
  readonly crc32: number
  /** The first bytes, from which the type is detected. */
  readonly head: Uint8Array
}

const chunkSize = 256 * 1024

/** With O_NONBLOCK, a named pipe does not wait for a writer. A symbolic link could lead out of the directory. */
const forReading = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** What opening a file reports when no regular file has the name. */
const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ENXIO', 'ELOOP', 'ENAMETOOLONG'])

/** A file in the directory of the files of another service. */
export interface FilePlace {
  /** The directory of all files, which may be a symbolic link. */
  readonly root: string
  /** The names below it. Ids of the other service are untrusted. */
  readonly segments: readonly string[]
}

/**
 * Reads a regular file below the root, to which no symbolic link leads.
 * @returns undefined when there is none, including when a name is not a plain one, or the file or a directory below the root is a link
 */
export async function readFileContent({
  root,
  segments,
}: FilePlace): Promise<AsyncIterable<Uint8Array> | undefined> {
  return segments.every(isPlainName) ? readingSource(() => openFile(root, segments)) : undefined
}

async function openFile(
  root: string,
  segments: readonly string[],
): Promise<AsyncIterable<Uint8Array> | undefined> {
  let file
  try {
    const directory = await directoryWithoutLinks(root, segments.slice(0, -1))
    if (directory === undefined) return undefined
    file = await open(join(directory, ...segments.slice(-1)), forReading)
  } catch (error) {
    if (absent.has(error instanceof Error && 'code' in error ? error.code : undefined)) return undefined
    throw error
  }
  if ((await file.stat()).isFile()) return file.createReadStream({ highWaterMark: chunkSize })
  await file.close()
  return undefined
}

const isPlainName = (name: string): boolean => !['', '.', '..'].includes(name) && !/[/\0]/.test(name)

/**
 * The path of a directory; undefined when it or one above it, below the root, is a symbolic link: also one within the root
 * would give the files of one upload to another.
 */
async function directoryWithoutLinks(root: string, segments: readonly string[]): Promise<string | undefined> {
  const directory = join(await realpath(root), ...segments)
  return (await realpath(directory)) === directory ? directory : undefined
}

/** Bytes that are measured while they pass. */
export interface MeasuredContent {
  readonly chunks: AsyncIterable<Uint8Array>
  /** The result, after the last chunk. */
  readonly result: () => FileContent
}

export function measureContent(source: AsyncIterable<Uint8Array>, hasSha1: boolean): MeasuredContent {
  const md5 = createHash('md5')
  const sha1: Hash | undefined = hasSha1 ? createHash('sha1') : undefined
  let sum = 0
  let size = 0
  let head: Uint8Array = new Uint8Array()
  async function* pass() {
    for await (const chunk of source) {
      md5.update(chunk)
      sha1?.update(chunk)
      sum = crc32(chunk, sum)
      size += chunk.length
      if (head.length < sniffBytes) head = Buffer.concat([head, chunk.subarray(0, sniffBytes - head.length)])
      yield chunk
    }
  }
  return {
    chunks: pass(),
    result: () => ({ size, md5: md5.digest('hex'), sha1: sha1?.digest('hex') ?? '', crc32: sum, head }),
  }
}
