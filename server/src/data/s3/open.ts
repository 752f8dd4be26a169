import type { DataBackend } from '../backend/backend.ts'
import { checkKey } from '../backend/key.ts'
import { partBufferPool } from '../network/part-buffer-pool.ts'
import { partMemory } from '../network/part-memory.ts'
import { callStore } from './client/failures.ts'
import { s3Inventory } from './inventory.ts'
import { connectS3, defaultTimeouts, type S3BackendOptions, type S3Timeouts } from './client/client.ts'
import { pingBucket } from './client/ping.ts'
import { readObject } from './objects/read.ts'
import { removeAll } from './resumable/remove.ts'
import { removeMany } from './objects/remove-many.ts'
import { resumableObjects } from './resumable/resumable.ts'
import { writeObject } from './objects/write.ts'

/** Bytes of buffers that all uploads share. */
const sharedBytes = 128 * 1024 * 1024

/**
 * Stores data in a bucket of S3, or of a compatible store: one object for each key.
 * @param available bytes of the process for the parts of all uploads
 */
export async function s3Backend(
  options: S3BackendOptions,
  timeouts: S3Timeouts = defaultTimeouts,
  available = partMemory(),
): Promise<DataBackend> {
  const s3 = await connectS3(options, timeouts)
  const { partSize } = options
  const memory = partBufferPool({
    size: partSize,
    shared: Math.max(partSize, sharedBytes),
    memory: available,
  })
  return {
    async add(key, source, signal, sender) {
      checkKey(key)
      signal.throwIfAborted()
      await writeObject(s3, memory, { key, source, sender }, signal)
    },
    async get(key, range) {
      checkKey(key)
      return readObject(s3, key, range)
    },
    async remove(key) {
      checkKey(key)
      await removeAll(s3, key)
    },
    async removeMany(keys) {
      keys.forEach(checkKey)
      return removeMany(s3, keys)
    },
    resumable: resumableObjects(s3, memory),
    inventory: s3Inventory(s3),
    ping: (signal) => pingBucket(s3, signal),
    async presignedURL(key, { expiresIn, contentType, contentDisposition, cacheControl }) {
      checkKey(key)
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
      const command = new s3.sdk.GetObjectCommand({
        ...s3.location(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: contentDisposition,
        ResponseCacheControl: cacheControl,
      })
      return callStore('sign a URL', () => getSignedUrl(s3.readClient, command, { expiresIn }))
    },
  }
}
