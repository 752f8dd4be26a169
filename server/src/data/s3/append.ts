import { TooLargeForStoreError, type AppendOptions, type StoredPart } from '../backend/backend.ts'
import { commits } from '../file/commits.ts'
import { gatherParts, type Part } from '../network/gather-parts.ts'
import type { PartBufferPool } from '../network/part-buffer-pool.ts'
import { untilAborted } from '../streams/until-aborted.ts'
import type { S3 } from './client.ts'
import { unlessLost } from './failures.ts'
import { createUpload, sendPart, type Upload } from './multipart.ts'
import { partsUnderWay } from './parts-under-way.ts'
import { readKnown } from './read.ts'
import { readSession, storedPart, tailOf } from './session.ts'
import { unbrokenRun } from './unbroken-run.ts'
import { deleteObject, mostParts, putWhole } from './write.ts'

export interface Appended {
  readonly key: string
  readonly from: StoredPart
  readonly source: AsyncIterable<Uint8Array>
}

/**
 * Sends the bytes behind the last whole part once more, and all of the source: whole parts, several at once, and what
 * is left as an object of its own, from which the next append goes on.
 */
export async function appendParts(
  s3: S3,
  memory: PartBufferPool,
  { key, from, source }: Appended,
  { signal, commit }: AppendOptions,
): Promise<StoredPart> {
  const { partSize, partConcurrency } = s3.options
  const { tail: oldTail, outdated, ...before } = readSession(from)
  const failure = new AbortController()
  const told = commits(async (stored: StoredPart) => {
    signal.throwIfAborted()
    await commit(stored)
  })
  /** Ends the reading of the source; parts that are under way may still arrive, and count. */
  const stop = AbortSignal.any([signal, told.failed, failure.signal])
  /** Ends these, too. */
  const cut = AbortSignal.any([signal, told.failed])
  const share = memory.open()
  const underWay = partsUnderWay(share, partConcurrency, failure)
  const begun = oldTail === undefined ? before : { ...before, outdated: from.offset }
  const run = unbrokenRun(begun, (session) => {
    if (session.bytes > from.offset) told.tell(storedPart(session.bytes, session))
  })
  let upload: Upload | undefined = before.upload === undefined ? undefined : { key, id: before.upload }
  let tail: string | undefined
  let end = from.offset

  const sendWhole = async (to: Upload, number: number, bytes: Uint8Array) => {
    const { ETag } = await unlessLost(sendPart(s3, to, { bytes, number }, cut))
    run.stored({ upload: to.id, number, etag: ETag, size: bytes.length })
  }
  const sendTail = async (bytes: Uint8Array) => {
    tail = await putWhole(s3, tailOf(key, end), bytes, cut)
  }
  const start = async (part: Part) => {
    const number = before.parts + part.number
    const { bytes } = part
    end = before.bytes + part.start + bytes.length
    // Nothing came behind the tail, which stays. Where more comes, it may fill parts of today's size exactly.
    if (part.last && end === from.offset) part.give()
    else if (number > mostParts) throw new TooLargeForStoreError(mostParts * partSize)
    else if (bytes.length < partSize) underWay.start(part, sendTail(bytes))
    else {
      upload ??= { key, id: await createUpload(s3, key, stop) }
      underWay.start(part, sendWhole(upload, number, bytes))
    }
  }
  const startOrGive = async (part: Part) => {
    try {
      await start(part)
    } catch (error) {
      part.give()
      throw error
    }
  }

  // What cannot be removed now goes when the file is finished or abandoned.
  const forgetting =
    outdated === undefined ? undefined : deleteObject(s3, tailOf(key, outdated), cut).catch(ignore)
  const broken: Broken = {}
  const all = joined(
    oldTail === undefined
      ? undefined
      : () => readKnown(s3, tailOf(key, from.offset), { etag: oldTail, length: from.offset - before.bytes }),
    untilBroken(source, broken),
  )
  try {
    const take = () => underWay.take(stop)
    for await (const part of gatherParts(untilAborted(all, stop), { size: partSize, share, take }))
      await startOrGive(part)
    await underWay.settled()
    stop.throwIfAborted()
    if (end === from.offset) {
      if (broken.by !== undefined) throw broken.by.error
      return from
    }
    const stored = storedPart(end, { ...run.session(), ...(tail !== undefined && { tail }) })
    told.tell(stored)
    await told.settled()
    signal.throwIfAborted()
    if (broken.by !== undefined) throw broken.by.error
    return stored
  } catch (error) {
    failure.abort(error)
    await underWay.settled()
    await told.settled().catch(ignore)
    // What came first: the rest follows from it.
    throw stop.reason
  } finally {
    await forgetting
  }
}

/** The bytes of a tail, if there is one, and those behind it. */
async function* joined(
  tail: (() => Promise<AsyncIterable<Uint8Array>>) | undefined,
  behind: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (tail !== undefined) yield* await tail()
  yield* behind
}

interface Broken {
  by?: { readonly error: unknown }
}

/** The same chunks. Where they fail, they end, and it is said what they failed with: what came counts. */
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

function ignore(): void {
  // The first error counts.
}
