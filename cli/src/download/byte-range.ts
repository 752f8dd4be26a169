import type { File } from '@svc/contract'
import type { ByteRange } from '@svc/encryption'
import { ApiError, withRetries } from '@svc/sdk'
import { withNetworkErrors } from '../http/network-errors.ts'
import { bodyOf } from '../http/response-body.ts'
import { clientFor, ifRangeOf, type DownloadContext } from './download-context.ts'

/**
 * The bytes of a range of a file.
 * @returns undefined when the server does not send ranges of the file
 * @throws ApiError, the signal's reason
 */
export async function bytesIn(
  context: DownloadContext,
  file: File,
  range: ByteRange,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return withRetries(context.retryPolicy, () => requestRange(context, file, range))
}

async function requestRange(
  context: DownloadContext,
  file: File,
  { start, end }: ByteRange,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { upload, access, signal, rateLimit } = context
  const length = end - start
  const range = { start, end: end - 1 }
  const client = clientFor(context, length)
  const response = await client.download(upload, file, { ...access, ...ifRangeOf(file), range, signal })
  const { batches, destroy } = bodyOf(response)
  try {
    const expected = `bytes ${String(start)}-${String(end - 1)}/${String(file.fileSize)}`
    if (response.status !== 206 || response.headers.get('content-range') !== expected) return undefined
    const bytes = Buffer.alloc(length)
    let received = 0
    const paced = batches((some) => rateLimit(some, signal))
    for await (const batch of withNetworkErrors(paced, signal))
      for (const piece of batch) {
        if (received + piece.length > length)
          throw new ApiError(response.status, 'invalid_response', 'the response is longer than its range')
        bytes.set(piece, received)
        received += piece.length
      }
    if (received < length) throw new ApiError(0, 'network', 'the connection was cut')
    return bytes
  } finally {
    destroy()
  }
}
