import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { MissingDataError, type DataBackend } from '../../data/backend/backend.ts'
import type { FileContent } from './uploads.ts'

export interface PlikFileKey {
  readonly id: string
  readonly uploadId: string
}

/** Reads the bytes of a file of Plik; undefined when there are none. */
export type OpenContent = (file: PlikFileKey) => Promise<AsyncIterable<Uint8Array> | undefined>

const chunkSize = 256 * 1024

/** With O_NONBLOCK, a named pipe does not wait for a writer. */
const forReading = constants.O_RDONLY | constants.O_NONBLOCK

/**
 * The files of a directory: as Plik stores them, as versions before 1.3 did, and as a copy of the objects of Swift, Google
 * Cloud Storage or S3 has them.
 */
export function contentInDirectory(directory: string): OpenContent {
  const paths = ({ id, uploadId }: PlikFileKey) => [
    `${directory}/${id.slice(0, 2)}/${id}`,
    `${directory}/${uploadId.slice(0, 2)}/${uploadId}/${id}`,
    `${directory}/${uploadId}.${id}`,
    `${directory}/${id}`,
  ]
  return async (key) => {
    for (const path of paths(key)) {
      const file = await openFile(path)
      if (file !== undefined) return file.createReadStream({ highWaterMark: chunkSize })
    }
    return undefined
  }
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle
  try {
    file = await open(path, forReading)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENXIO') return undefined
    throw error
  }
  if ((await file.stat()).isFile()) return file
  await file.close()
  return undefined
}

/** The files that are in the data store of this service already, under their ids. */
export const contentInStore =
  (data: DataBackend): OpenContent =>
  async ({ id }) => {
    try {
      return await data.get(id)
    } catch (error) {
      if (error instanceof MissingDataError) return undefined
      throw error
    }
  }

/** Bytes that are measured while they pass. */
export interface MeasuredContent {
  readonly chunks: AsyncIterable<Uint8Array>
  /** The result, after the last chunk. */
  readonly result: () => FileContent
}

export function measured(source: AsyncIterable<Uint8Array>): MeasuredContent {
  const md5 = createHash('md5')
  let sum = 0
  let size = 0
  async function* pass() {
    for await (const chunk of source) {
      md5.update(chunk)
      sum = crc32(chunk, sum)
      size += chunk.length
      yield chunk
    }
  }
  return { chunks: pass(), result: () => ({ size, md5: md5.digest('hex'), crc32: sum }) }
}
