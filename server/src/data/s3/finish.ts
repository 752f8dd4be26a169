import { MissingDataError, StoreUnavailableError, type StoredPart } from '../backend/backend.ts'
import type { PartBufferPool } from '../network/part-buffer-pool.ts'
import type { S3 } from './client.ts'
import { unlessLost } from './failures.ts'
import { completeUpload, listParts, sendPart, type ListedPart } from './multipart.ts'
import { storedSize } from './read.ts'
import { recompose } from './recompose.ts'
import { removeTails } from './remove.ts'
import { digestWith, readSession, type S3Session } from './session.ts'
import { withTail } from './tail.ts'
import { putWhole } from './write.ts'

/** Makes one object of all that is stored of a file, however far an earlier try has come. */
export async function finishParts(
  s3: S3,
  memory: PartBufferPool,
  key: string,
  stored: StoredPart,
): Promise<void> {
  const { upload } = readSession(stored)
  try {
    await withTail(s3, memory, key, stored, async (tail) => {
      if (upload === undefined) await putWhole(s3, key, tail)
      else await joinParts(s3, { key, id: upload }, stored, tail)
    })
  } catch (error) {
    if (!(error instanceof MissingDataError)) throw error
    // The tail goes last: then it was done before.
    if ((await storedSize(s3, key)) !== stored.offset) throw error
  }
  await removeTails(s3, key)
}

async function joinParts(
  s3: S3,
  upload: { readonly key: string; readonly id: string },
  stored: StoredPart,
  tail: Uint8Array,
): Promise<void> {
  const { key } = upload
  const session = readSession(stored)
  const listed = await partsOf(s3, upload)
  if (listed === undefined) {
    const size = await storedSize(s3, key)
    if (size === stored.offset) return
    if (size < session.bytes) throw new MissingDataError('the store has another file of this name')
    await recompose(s3, { key, kept: session.bytes, tail })
    return
  }
  const kept = keptParts(listed, session)
  const number = session.parts + 1
  const last = tail.length > 0 ? number : session.parts
  if (listed.every(({ PartNumber }) => PartNumber <= last)) {
    const parts = tail.length > 0 ? [...kept, await sendPart(s3, upload, { bytes: tail, number })] : kept
    await unlessLost(completeUpload(s3, upload, { parts, size: stored.offset }))
    return
  }
  // Of an append that was cut there are parts that nobody wants. Ceph completes no file without them, and no store
  // removes them: they are cut off once the file can be copied.
  const size = listed.reduce((sum, part) => sum + part.Size, 0)
  await unlessLost(completeUpload(s3, upload, { parts: listed, size }))
  await recompose(s3, { key, kept: session.bytes, tail })
}

/** Undefined when the store knows no such upload: it was completed, or given up. */
async function partsOf(s3: S3, upload: { readonly key: string; readonly id: string }) {
  try {
    return await unlessLost(listParts(s3, upload))
  } catch (error) {
    if (error instanceof MissingDataError) return undefined
    throw error
  }
}

/** The whole parts that were kept. */
function keptParts(listed: readonly ListedPart[], session: S3Session): readonly ListedPart[] {
  const parts = listed.filter(({ PartNumber }) => PartNumber <= session.parts)
  // Listings of some stores are late.
  if (parts.length < session.parts) throw new StoreUnavailableError('the store does not know all parts yet')
  const digest = parts.reduce((before, { ETag }) => digestWith(before, ETag), '')
  if (digest !== session.digest)
    throw new MissingDataError('the store has other parts than those that were kept')
  return parts
}
