import { TooLargeForStoreError } from '../../backend/backend.ts'
import { gatherParts, type Part } from '../../network/gather-parts.ts'
import type { PartBufferPool } from '../../network/part-buffer-pool.ts'
import { untilAborted } from '../../streams/until-aborted.ts'
import type { S3 } from '../client/client.ts'
import { callStore, etagOf } from '../client/failures.ts'
import { beginMultipart, type Multipart } from './multipart.ts'
import { concurrentParts } from './concurrent-parts.ts'

/** The most parts of a multipart upload. */
export const maxParts = 10_000

/** A source of bytes, and who sends them. */
export interface ObjectWrite {
  readonly key: string
  readonly source: AsyncIterable<Uint8Array>
  /** See `PartBufferPool.forUpload`. */
  readonly sender?: string | null | undefined
}

/**
 * Stores all chunks of a source under a key: in one request if they fit into one part, else in parts, several at once. When
 * it rejects, stored parts are removed, if the store can be reached.
 */
export async function writeObject(
  s3: S3,
  pool: PartBufferPool,
  { key, source, sender }: ObjectWrite,
  signal: AbortSignal,
): Promise<void> {
  const { partSize, partConcurrency } = s3.options
  const buffers = pool.forUpload(sender)
  const failure = new AbortController()
  const stop = AbortSignal.any([signal, failure.signal])
  const uploads = concurrentParts(buffers, partConcurrency, failure)
  let multipart: Multipart | undefined
  let size = 0

  const acquire = () => uploads.acquire(stop)
  const begin = async (part: Part) => {
    try {
      if (part.number > maxParts) throw new TooLargeForStoreError(maxParts * partSize)
      return (multipart ??= await beginMultipart(s3, key, stop))
    } catch (error) {
      part.release()
      throw error
    }
  }

  try {
    for await (const part of gatherParts(untilAborted(source, stop), { size: partSize, buffers, acquire })) {
      size += part.bytes.length
      if (part.last && part.number === 1) uploads.start(part, putObject(s3, key, part.bytes, stop))
      else uploads.start(part, (await begin(part)).send(part, stop))
    }
    await uploads.settled()
    stop.throwIfAborted()
    await multipart?.complete(size, stop)
    signal.throwIfAborted()
  } catch (error) {
    failure.abort(error)
    await uploads.settled()
    // If this fails, cleanup removes the key later.
    await removePartialObject(s3, key, multipart, AbortSignal.timeout(s3.timeouts.idle)).catch(
      () => undefined,
    )
    // The first error; the later ones follow from it.
    throw stop.reason
  }
}

/** @returns the ETag of the object */
export async function putObject(
  { sdk, writeClient, location, options }: S3,
  key: string,
  bytes: Uint8Array,
  abortSignal?: AbortSignal,
): Promise<string> {
  const encryption = options.sse === '' ? {} : { ServerSideEncryption: options.sse }
  const command = new sdk.PutObjectCommand({ ...location(key), ...encryption, Body: bytes })
  return etagOf(
    await callStore('store a file', () => writeClient.send(command, abortSignal && { abortSignal })),
  )
}

/** @param signal aborts the removal when the store does not respond */
async function removePartialObject(
  s3: S3,
  key: string,
  multipart: Multipart | undefined,
  signal: AbortSignal,
): Promise<void> {
  await multipart?.abort(signal)
  await deleteObject(s3, key, signal)
}

export async function deleteObject(
  { sdk, writeClient, location }: S3,
  key: string,
  abortSignal?: AbortSignal,
): Promise<void> {
  const command = new sdk.DeleteObjectCommand(location(key))
  await callStore('delete a file', () => writeClient.send(command, abortSignal && { abortSignal }))
}
