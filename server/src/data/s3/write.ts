import { TooLargeForStoreError } from '../backend/backend.ts'
import { gatherParts, type Part } from '../network/gather-parts.ts'
import type { PartBufferPool } from '../network/part-buffer-pool.ts'
import { untilAborted } from '../streams/until-aborted.ts'
import type { S3 } from './client.ts'
import { asked, etagOf } from './failures.ts'
import { beginMultipart, type Multipart } from './multipart.ts'
import { partsUnderWay } from './parts-under-way.ts'

/** Parts that S3 takes for one file. */
export const mostParts = 10_000

/**
 * Stores all chunks of a source under a key. What fits into one part goes as one request, the rest in parts, several
 * at once. When it rejects, nothing of it stays, as far as the store can be reached.
 */
export async function writeObject(
  s3: S3,
  memory: PartBufferPool,
  key: string,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const { partSize, partConcurrency } = s3.options
  const share = memory.open()
  const failure = new AbortController()
  const stop = AbortSignal.any([signal, failure.signal])
  const underWay = partsUnderWay(share, partConcurrency, failure)
  let multipart: Multipart | undefined
  let size = 0

  const take = () => underWay.take(stop)
  const begin = async (part: Part) => {
    try {
      if (part.number > mostParts) throw new TooLargeForStoreError(mostParts * partSize)
      return (multipart ??= await beginMultipart(s3, key, stop))
    } catch (error) {
      part.give()
      throw error
    }
  }

  try {
    for await (const part of gatherParts(untilAborted(source, stop), { size: partSize, share, take })) {
      size += part.bytes.length
      if (part.last && part.number === 1) underWay.start(part, putWhole(s3, key, part.bytes, stop))
      else underWay.start(part, (await begin(part)).send(part, stop))
    }
    await underWay.settled()
    stop.throwIfAborted()
    await multipart?.complete(size, stop)
    signal.throwIfAborted()
  } catch (error) {
    failure.abort(error)
    await underWay.settled()
    // What cannot be removed now goes with its key later: the first error counts.
    await giveUp(s3, key, multipart, AbortSignal.timeout(s3.patience.idle)).catch(() => undefined)
    // What came first: the rest follows from it.
    throw stop.reason
  }
}

/** @returns what the store calls the object from now on */
export async function putWhole(
  { sdk, writing, place, options }: S3,
  key: string,
  bytes: Uint8Array,
  abortSignal?: AbortSignal,
): Promise<string> {
  const encryption = options.sse === '' ? {} : { ServerSideEncryption: options.sse }
  const command = new sdk.PutObjectCommand({ ...place(key), ...encryption, Body: bytes })
  return etagOf(await asked('take a file', () => writing.send(command, abortSignal && { abortSignal })))
}

/** @param signal a store that is not there is not waited for long */
async function giveUp(
  s3: S3,
  key: string,
  multipart: Multipart | undefined,
  signal: AbortSignal,
): Promise<void> {
  await multipart?.abort(signal)
  await deleteObject(s3, key, signal)
}

export async function deleteObject(
  { sdk, writing, place }: S3,
  key: string,
  abortSignal?: AbortSignal,
): Promise<void> {
  const command = new sdk.DeleteObjectCommand(place(key))
  await asked('remove a file', () => writing.send(command, abortSignal && { abortSignal }))
}
