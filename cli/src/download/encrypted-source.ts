import type { File } from '@svc/contract'
import type { ByteRange } from '@svc/encryption'
import { waitBeforeRetry } from '@svc/sdk'
import { withNetworkErrors } from '../http/network-errors.ts'
import { bodyOf } from '../http/response-body.ts'
import { receive, type DownloadContext } from './fetch-bytes.ts'
import { headBytes } from './plain-part.ts'

/** Encrypted bytes that are received once, and can be read again from the beginning until their key is found. */
export interface EncryptedSource {
  /** To be read once. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** The beginning of the file, as far as it was read. */
  readonly head: () => Uint8Array
  /** The key is found: what is read is no longer kept. */
  readonly unlocked: () => void
  /** All bytes from the beginning, if the key is not found. */
  readonly again: () => AsyncGenerator<Uint8Array>
}

export function createEncryptedSource(received: AsyncGenerator<Uint8Array>): EncryptedSource {
  let head = Buffer.alloc(0)
  let kept: Uint8Array[] | undefined = []
  const next = async () => {
    const result = await received.next()
    if (result.done === true) return { done: true as const, value: undefined }
    const { value } = result
    if (head.length < headBytes) head = Buffer.concat([head, value.subarray(0, headBytes - head.length)])
    kept?.push(value.slice())
    return { done: false as const, value }
  }
  return {
    // The reader's end is not that of the source: it may be read again.
    bytes: { [Symbol.asyncIterator]: () => ({ next }) },
    head: () => head,
    unlocked() {
      kept = undefined
    },
    async *again() {
      yield* kept ?? []
      yield* received
    },
  }
}

/** The bytes of a file from a position to its end, in order. */
export async function* bytesFrom(
  fetching: DownloadContext,
  file: File,
  start: number,
): AsyncGenerator<Uint8Array, void> {
  for await (const batch of receive(fetching, file, start)) yield* batch
}

/**
 * A few bytes of a file.
 * @returns undefined when the server does not send ranges of the file
 * @throws ApiError, the signal's reason
 */
export async function bytesIn(
  fetching: DownloadContext,
  file: File,
  range: ByteRange,
): Promise<Uint8Array | undefined> {
  for (let failed = 1; ; failed += 1)
    try {
      return await requested(fetching, file, range)
    } catch (error) {
      await waitBeforeRetry(fetching.retryPolicy, failed, error)
    }
}

async function requested(
  { client, upload, access, signal }: DownloadContext,
  file: File,
  { start, end }: ByteRange,
): Promise<Uint8Array | undefined> {
  const ifRange = file.md5 === '' ? {} : { ifRange: `"${file.md5}"` }
  const range = { start, end: end - 1 }
  const response = await client.download(upload, file, { ...access, ...ifRange, range, signal })
  const { batches, destroy } = bodyOf(response)
  try {
    const expected = `bytes ${String(start)}-${String(end - 1)}/${String(file.fileSize)}`
    if (response.status !== 206 || response.headers.get('content-range') !== expected) return undefined
    const pieces: Uint8Array[] = []
    for await (const batch of withNetworkErrors(
      batches(() => undefined),
      signal,
    ))
      pieces.push(...batch.map((piece) => Uint8Array.from(piece)))
    return Buffer.concat(pieces)
  } finally {
    destroy()
  }
}
