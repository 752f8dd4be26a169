import type { StoredPart } from '../backend/backend.ts'
import type { PartBufferPool } from '../network/part-buffer-pool.ts'
import type { S3 } from './client.ts'
import { readKnown } from './read.ts'
import { readSession, tailOf } from './session.ts'

/**
 * Does something with the bytes behind the last whole part, in memory.
 * @throws MissingDataError when they are gone
 */
export async function withTail(
  s3: S3,
  memory: PartBufferPool,
  key: string,
  stored: StoredPart,
  work: (tail: Uint8Array) => Promise<void>,
): Promise<void> {
  const { tail: etag, bytes } = readSession(stored)
  const length = stored.offset - bytes
  if (etag === undefined) {
    await work(new Uint8Array())
    return
  }
  const share = memory.open()
  // Larger than parts are now, when it comes of a time when these were larger.
  const pooled = length > s3.options.partSize ? undefined : await share.take(new AbortController().signal)
  const taken = pooled ?? new Uint8Array(length)
  let filled = 0
  try {
    for await (const chunk of await readKnown(s3, tailOf(key, stored.offset), { etag, length })) {
      taken.set(chunk, filled)
      filled += chunk.length
    }
    await work(taken.subarray(0, filled))
  } catch (error) {
    if (pooled !== undefined) share.forfeit(pooled)
    throw error
  }
  if (pooled !== undefined) share.give(pooled)
}
