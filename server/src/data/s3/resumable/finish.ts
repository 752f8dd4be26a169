import { MissingDataError, StoreUnavailableError, type ResumePoint } from '../../backend/backend.ts'
import type { PartBufferPool } from '../../network/part-buffer-pool.ts'
import type { S3 } from '../client/client.ts'
import { mapLostUpload } from '../client/failures.ts'
import { completeUpload, listParts, sendPart, type ListedPart } from '../objects/multipart.ts'
import { storedSize } from '../objects/read.ts'
import { rewriteObject } from '../objects/rewrite-object.ts'
import { removeTails } from './remove.ts'
import { digestWith, readSession, type S3Session } from './session.ts'
import { withTail } from './tail.ts'
import { putObject } from '../objects/write.ts'

/** Completes the object of a file. Continues an earlier attempt that was interrupted at any point. */
export async function finishParts(
  s3: S3,
  memory: PartBufferPool,
  key: string,
  stored: ResumePoint,
): Promise<void> {
  const { upload } = readSession(stored)
  try {
    await withTail(s3, memory, key, stored, async (tail) => {
      if (upload === undefined) await putObject(s3, key, tail)
      else await joinParts(s3, { key, id: upload }, stored, tail)
    })
  } catch (error) {
    if (!(error instanceof MissingDataError)) throw error
    // The tail is removed last, so an earlier attempt may have completed the object.
    if ((await storedSize(s3, key)) !== stored.offset) throw error
  }
  await removeTails(s3, key)
}

async function joinParts(
  s3: S3,
  upload: { readonly key: string; readonly id: string },
  stored: ResumePoint,
  tail: Uint8Array,
): Promise<void> {
  const { key } = upload
  const session = readSession(stored)
  const listed = await partsOf(s3, upload)
  if (listed === undefined) {
    const size = await storedSize(s3, key)
    if (size === stored.offset) return
    if (size < session.bytes) throw new MissingDataError('the store has another file of this name')
    await rewriteObject(s3, { key, kept: session.bytes, tail })
    return
  }
  const kept = keptParts(listed, session)
  const number = session.parts + 1
  const last = tail.length > 0 ? number : session.parts
  if (listed.every(({ PartNumber }) => PartNumber <= last)) {
    const parts = tail.length > 0 ? [...kept, await sendPart(s3, upload, { bytes: tail, number })] : kept
    await mapLostUpload(completeUpload(s3, upload, { parts, size: stored.offset }))
    return
  }
  // An aborted append left extra parts. Ceph cannot complete an upload without them, and S3 cannot remove single parts, so
  // the completed object is rewritten without them.
  const size = listed.reduce((sum, part) => sum + part.Size, 0)
  await mapLostUpload(completeUpload(s3, upload, { parts: listed, size }))
  await rewriteObject(s3, { key, kept: session.bytes, tail })
}

/** Undefined when there is no such upload, because it was completed or aborted. */
async function partsOf(s3: S3, upload: { readonly key: string; readonly id: string }) {
  try {
    return await mapLostUpload(listParts(s3, upload))
  } catch (error) {
    if (error instanceof MissingDataError) return undefined
    throw error
  }
}

/** The whole parts of the resume point. */
function keptParts(listed: readonly ListedPart[], session: S3Session): readonly ListedPart[] {
  const parts = listed.filter(({ PartNumber }) => PartNumber <= session.parts)
  // Listings of some stores are late.
  if (parts.length < session.parts) throw new StoreUnavailableError('the store does not know all parts yet')
  const digest = parts.reduce((before, { ETag }) => digestWith(before, ETag), '')
  if (digest !== session.digest)
    throw new MissingDataError('the store has other parts than those that were kept')
  return parts
}
