import { createReadStream } from 'node:fs'
import { localFailure } from '../../errors/failure.ts'
import { errorMessage } from '../../errors/error-message.ts'
import type { FileItem } from '../../files/item.ts'

const bufferBytes = 256 * 1024

/**
 * The bytes of a file for an archive, whose header already states their number.
 * @throws Failure when it cannot be read or its length has changed
 */
export async function* fileBytes({ path, location, size }: FileItem): AsyncGenerator<Buffer> {
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
    throw localFailure(`${path}: ${errorMessage(error)}`, error)
  }
  if (read !== size) throw localFailure(`${path} changed during the upload`)
}
