import { createReadStream } from 'node:fs'
import { localFailure } from '../failure.ts'
import { reasonOf } from '../output/reasons.ts'
import type { FileItem } from './item.ts'

const pieceBytes = 256 * 1024

/**
 * The bytes of a file for an archive, whose headers have told their number.
 * @throws Failure when it cannot be read, or is not as long as it was
 */
export async function* fileBytes({ path, size }: FileItem): AsyncGenerator<Buffer> {
  let read = 0
  try {
    // One byte more than there should be is enough to know.
    const chunks = createReadStream(path, { highWaterMark: pieceBytes, end: size }) as AsyncIterable<Buffer>
    for await (const chunk of chunks) {
      read += chunk.length
      if (read > size) break
      yield chunk
    }
  } catch (error) {
    throw localFailure(`${path}: ${reasonOf(error)}`, error)
  }
  if (read !== size) throw localFailure(`${path} changed during the upload`)
}
