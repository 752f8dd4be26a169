import type { ResumePoint } from '../../backend/backend.ts'
import type { PartBufferPool } from '../../network/part-buffer-pool.ts'
import type { S3 } from '../client/client.ts'
import { readVersion } from '../objects/read.ts'
import { readSession, tailName } from './session.ts'

/**
 * Reads the tail into memory, and calls `work` with it.
 * @throws MissingDataError when it is missing
 */
export async function withTail(
  s3: S3,
  memory: PartBufferPool,
  key: string,
  stored: ResumePoint,
  work: (tail: Uint8Array) => Promise<void>,
): Promise<void> {
  const { tail: etag, bytes } = readSession(stored)
  const length = stored.offset - bytes
  if (etag === undefined) {
    await work(new Uint8Array())
    return
  }
  const share = memory.forUpload()
  // It is larger than a part if the part size was reduced since.
  const pooled = length > s3.options.partSize ? undefined : await share.acquire(new AbortController().signal)
  const taken = pooled ?? new Uint8Array(length)
  let filled = 0
  try {
    for await (const chunk of await readVersion(s3, tailName(key, stored.offset), { etag, length })) {
      taken.set(chunk, filled)
      filled += chunk.length
    }
    await work(taken.subarray(0, filled))
  } catch (error) {
    if (pooled !== undefined) share.discard(pooled)
    throw error
  }
  if (pooled !== undefined) share.release(pooled)
}
