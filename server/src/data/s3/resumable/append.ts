import { TooLargeForStoreError, type AppendOptions, type ResumePoint } from '../../backend/backend.ts'
import { commitQueue } from '../../backend/commit-queue.ts'
import { gatherParts, type Part } from '../../network/gather-parts.ts'
import type { PartBufferPool } from '../../network/part-buffer-pool.ts'
import { untilAborted } from '../../streams/until-aborted.ts'
import type { S3 } from '../client/client.ts'
import { mapLostUpload } from '../client/failures.ts'
import { createUpload, sendPart, type MultipartUpload } from '../objects/multipart.ts'
import { concurrentParts } from '../objects/concurrent-parts.ts'
import { readVersion } from '../objects/read.ts'
import { readSession, resumePoint, tailName } from './session.ts'
import { contiguousParts } from './contiguous-parts.ts'
import { deleteObject, maxParts, putObject } from '../objects/write.ts'
import { ignore } from '../../../domain/ignore.ts'

export interface AppendRequest {
  readonly key: string
  readonly from: ResumePoint
  readonly source: AsyncIterable<Uint8Array>
}

/**
 * Uploads the tail of the previous append again, followed by the source: whole parts, several at once, and the rest as a
 * separate object, the tail, from which the next append continues.
 */
export async function appendParts(
  s3: S3,
  memory: PartBufferPool,
  { key, from, source }: AppendRequest,
  { signal, commit, sender }: AppendOptions,
): Promise<ResumePoint> {
  const { partSize, partConcurrency } = s3.options
  const { tail: oldTail, outdated, ...before } = readSession(from)
  const failure = new AbortController()
  const errorInfo = commitQueue(async (stored: ResumePoint) => {
    signal.throwIfAborted()
    await commit(stored)
  })
  /** Stops reading the source; parts that are being uploaded may still complete, and count. */
  const stop = AbortSignal.any([signal, errorInfo.failed, failure.signal])
  /** Aborts these parts as well. */
  const cut = AbortSignal.any([signal, errorInfo.failed])
  const buffers = memory.forUpload(sender)
  const uploads = concurrentParts(buffers, partConcurrency, failure)
  const session = oldTail === undefined ? before : { ...before, outdated: from.offset }
  const run = contiguousParts(session, (stored) => {
    if (stored.bytes > from.offset) errorInfo.push(resumePoint(stored.bytes, stored))
  })
  let upload: MultipartUpload | undefined =
    before.upload === undefined ? undefined : { key, id: before.upload }
  let tail: string | undefined
  let end = from.offset

  const sendWhole = async (to: MultipartUpload, number: number, bytes: Uint8Array) => {
    const { ETag } = await mapLostUpload(sendPart(s3, to, { bytes, number }, cut))
    run.stored({ upload: to.id, number, etag: ETag, size: bytes.length })
  }
  const sendTail = async (bytes: Uint8Array) => {
    tail = await putObject(s3, tailName(key, end), bytes, cut)
  }
  const start = async (part: Part) => {
    const number = before.parts + part.number
    const { bytes } = part
    end = before.bytes + part.start + bytes.length
    // Without new bytes, the tail stays. With new bytes, they may end exactly with a part of the current part size.
    if (part.last && end === from.offset) part.release()
    else if (number > maxParts) throw new TooLargeForStoreError(maxParts * partSize)
    else if (bytes.length < partSize) uploads.start(part, sendTail(bytes))
    else {
      upload ??= { key, id: await createUpload(s3, key, stop) }
      uploads.start(part, sendWhole(upload, number, bytes))
    }
  }
  const startOrGive = async (part: Part) => {
    try {
      await start(part)
    } catch (error) {
      part.release()
      throw error
    }
  }

  // If this removal fails, finishing or discarding the file removes the tail.
  const forgetting =
    outdated === undefined ? undefined : deleteObject(s3, tailName(key, outdated), cut).catch(ignore)
  const broken: Broken = {}
  const all = withTail(
    oldTail === undefined
      ? undefined
      : () =>
          readVersion(s3, tailName(key, from.offset), { etag: oldTail, length: from.offset - before.bytes }),
    untilBroken(source, broken),
  )
  try {
    const acquire = () => uploads.acquire(stop)
    for await (const part of gatherParts(untilAborted(all, stop), { size: partSize, buffers, acquire }))
      await startOrGive(part)
    await uploads.settled()
    stop.throwIfAborted()
    if (end === from.offset) {
      if (broken.by !== undefined) throw broken.by.error
      return from
    }
    const stored = resumePoint(end, { ...run.session(), ...(tail !== undefined && { tail }) })
    errorInfo.push(stored)
    await errorInfo.drain()
    signal.throwIfAborted()
    if (broken.by !== undefined) throw broken.by.error
    return stored
  } catch (error) {
    failure.abort(error)
    await uploads.settled()
    // The first error counts.
    await errorInfo.drain().catch(ignore)
    // The first error, which causes the others.
    throw stop.reason
  } finally {
    await forgetting
  }
}

/** The bytes of the tail, if there is one, followed by the source. */
async function* withTail(
  tail: (() => Promise<AsyncIterable<Uint8Array>>) | undefined,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (tail !== undefined) yield* await tail()
  yield* rest
}

interface Broken {
  by?: { readonly error: unknown }
}

/** The same chunks. If the source fails, they end, and `broken` gets the error: the bytes that arrived count. */
async function* untilBroken(
  source: AsyncIterable<Uint8Array>,
  broken: Broken,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* source
  } catch (error) {
    broken.by = { error }
  }
}
