import type { ResumableWrites } from '../../backend/backend.ts'
import { beginEmpty } from '../../backend/begin-empty.ts'
import { checkKey } from '../../backend/key.ts'
import type { PartBufferPool } from '../../network/part-buffer-pool.ts'
import { appendParts } from './append.ts'
import type { S3 } from '../client/client.ts'
import { finishParts } from './finish.ts'
import { abortUpload } from '../objects/multipart.ts'
import { removeAll } from './remove.ts'
import { readableSession, tailName } from './session.ts'
import { deleteObject } from '../objects/write.ts'

/**
 * Resumable files: one multipart upload for all appends, and an object, the tail, with the bytes after the last whole
 * part. No request is sent before the first byte.
 */
export function resumableObjects(s3: S3, memory: PartBufferPool): ResumableWrites {
  return {
    begin: beginEmpty,
    async append(key, from, source, options) {
      checkKey(key)
      options.signal.throwIfAborted()
      return appendParts(s3, memory, { key, from, source }, options)
    },
    async finish(key, stored) {
      checkKey(key)
      await finishParts(s3, memory, key, stored)
    },
    async discard(key, stored) {
      checkKey(key)
      const { upload, tail } = readableSession(stored)
      // Listings of some stores are late, so known objects are removed without them.
      if (upload !== undefined) await abortUpload(s3, { key, id: upload })
      if (tail !== undefined) await deleteObject(s3, tailName(key, stored.offset))
      await removeAll(s3, key)
    },
  }
}
