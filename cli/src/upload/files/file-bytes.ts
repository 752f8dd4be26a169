import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { localFailure, type Failure } from '../../errors/failure.ts'
import { errorMessage } from '../../errors/error-message.ts'
import type { FileItem } from '../../files/item.ts'

const bufferBytes = 256 * 1024

/** Smaller files are read by one call. Bytes. */
const smallBytes = 64 * 1024

export const isSmall = ({ size }: FileItem): boolean => size < smallBytes

/**
 * The bytes of a file for an archive, whose header already states their number.
 * @throws Failure when it cannot be read or its length has changed
 */
export async function* fileBytes(file: FileItem): AsyncGenerator<Buffer> {
  const { location, size } = file
  if (isSmall(file)) {
    yield await smallFile(file)
    return
  }
  let read = 0
  try {
    // One more byte than expected shows that the file has grown.
    const chunks = createReadStream(location, {
      highWaterMark: bufferBytes,
      end: size,
    }) as AsyncIterable<Buffer>
    for await (const chunk of chunks) {
      read += chunk.length
      if (read > size) break
      yield chunk
    }
  } catch (error) {
    throw unreadable(file, error)
  }
  if (read !== size) throw changed(file)
}

/**
 * All bytes of a small file for an archive.
 * @throws Failure when it cannot be read or its length has changed
 */
export async function smallFile(file: FileItem): Promise<Buffer> {
  // One more byte than expected shows that the file has grown.
  const into = Buffer.allocUnsafe(file.size + 1)
  let read = 0
  try {
    await using opened = await open(file.location)
    for (;;) {
      const { bytesRead } = await opened.read(into, read, into.length - read, read)
      read += bytesRead
      if (bytesRead === 0 || read >= file.size) break
    }
  } catch (error) {
    throw unreadable(file, error)
  }
  if (read !== file.size) throw changed(file)
  return into.subarray(0, read)
}

const unreadable = ({ path }: FileItem, error: unknown): Failure =>
  localFailure(`${path}: ${errorMessage(error)}`, error)

const changed = ({ path }: FileItem): Failure => localFailure(`${path} changed during the upload`)
