import { StoreUnavailableError } from '../backend/backend.ts'
import type { GcsCalls } from './calls.ts'
import { hasty, persist, type RetryPolicy } from '../network/retry-policy.ts'
import type { Part } from '../network/gather-parts.ts'
import { readText, type StoreAnswer } from '../network/client.ts'
import { expectStatus, jsonOf, statusOf } from '../network/store-error.ts'
import type { PartWriter } from '../network/sequential-part-writer.ts'

const nothing = new Uint8Array()

/** The store has another number of bytes than it was given. */
export class WrongSizeError extends Error {
  override readonly name = 'WrongSizeError'
}

/**
 * Writes one object: a small one by a single request, others in chunks of a resumable session, where a chunk that
 * breaks goes on from what the store has of it.
 */
export function gcsUpload(calls: GcsCalls, name: string, patience: RetryPolicy): PartWriter {
  let session: string | undefined
  /** An object may exist: it was asked for, whatever came of that. */
  let mayExist = false

  const begin = async (signal: AbortSignal) =>
    persist(
      async () => {
        const answer = await calls.begin(name, signal)
        await expectStatus('a new upload', answer, 200, 201)
        const { location } = answer.headers
        if (location === undefined) throw new StoreUnavailableError('a new upload has no address')
        return location
      },
      patience,
      signal,
    )

  return {
    async write(part, signal) {
      try {
        if (part.last) mayExist = true
        if (session === undefined && part.last) {
          await makeObject({ calls, name, size: part.bytes.length, patience, signal }, () =>
            calls.insert(name, part.bytes, signal),
          )
          return
        }
        session ??= await begin(signal)
        await sendChunk(calls, session, part, { patience, signal })
      } catch (error) {
        // The object that is in the way is somebody else's.
        if (statusOf(error) === 412) mayExist = false
        throw error
      }
    },
    async undo() {
      const ended = session
      if (ended !== undefined) {
        const cancel = () => calls.session({ method: 'DELETE', url: ended, body: nothing })
        // 499 is the answer of a session that was cancelled; others are of one that is over.
        await persist(async () => (await cancel()).cut(), hasty)
      }
      if (mayExist) await removeObject(calls, name, hasty)
    },
  }
}

export interface NewObject {
  readonly calls: GcsCalls
  readonly name: string
  /** Bytes that it shall have. */
  readonly size: number
  readonly patience: RetryPolicy
  readonly signal: AbortSignal
}

/** Asks again and again for an object to be made where there is none. @throws WrongSizeError */
export async function makeObject(
  { calls, name, size, patience, signal }: NewObject,
  make: () => Promise<StoreAnswer>,
): Promise<void> {
  const stored = await persist(
    async (attempt) => {
      const answer = await make()
      // The one that is in the way came from a try before this one, whose answer was lost.
      if (answer.status !== 412 || attempt === 1)
        return sizeIn(await expectStatus('a new object', answer, 200))
      answer.cut()
      return sizeIn(await expectStatus('an object', await calls.describe(name), 200))
    },
    patience,
    signal,
  )
  if (stored !== size)
    throw new WrongSizeError(`the store has ${String(stored)} bytes of an object of ${String(size)}`)
}

/** Success when there is no such object. */
export async function removeObject(calls: GcsCalls, name: string, patience: RetryPolicy): Promise<void> {
  await persist(
    async () => expectStatus('the removal of an object', await calls.remove(name), 204, 200, 404),
    patience,
  )
}

interface ChunkOptions {
  readonly patience: RetryPolicy
  readonly signal: AbortSignal
}

async function sendChunk(
  { session: ask }: GcsCalls,
  session: string,
  { bytes, start, last }: Part,
  { patience, signal }: ChunkOptions,
): Promise<void> {
  const end = start + bytes.length
  const total = last ? String(end) : '*'
  const put = async (range: string, body: Uint8Array) => {
    const headers = { 'content-range': `bytes ${range}/${total}` }
    return progressOf(await ask({ method: 'PUT', url: session, headers, body, signal }))
  }
  const putFrom = (position: number) =>
    put(`${String(position)}-${String(end - 1)}`, bytes.subarray(position - start))

  await persist(
    async (attempt) => {
      // After a break, only the store knows what it has.
      let progress = attempt === 1 ? { stored: start, isComplete: false } : await put('*', nothing)
      if (!progress.isComplete && progress.stored >= start && progress.stored < end)
        progress = await putFrom(progress.stored)
      const { stored, isComplete } = progress
      if (isComplete === last && stored === end) return
      if (isComplete || stored < start || stored > end)
        throw new WrongSizeError(`the store has ${String(stored)} bytes of an upload of ${String(end)}`)
      throw new StoreUnavailableError('the store took only a part of a chunk')
    },
    patience,
    signal,
  )
}

interface Progress {
  /** How many bytes of the object the store has. */
  readonly stored: number
  readonly isComplete: boolean
}

async function progressOf(answer: StoreAnswer): Promise<Progress> {
  if (answer.status !== 308)
    return { stored: sizeIn(await expectStatus('a chunk', answer, 200, 201)), isComplete: true }
  await readText(answer)
  const last = /^bytes=0-(\d+)$/.exec(answer.headers.range ?? '')?.[1]
  return { stored: last === undefined ? 0 : Number(last) + 1, isComplete: false }
}

/** The size in the description of an object. @throws StoreUnavailableError */
export function sizeIn(json: string): number {
  const description = jsonOf('the description of an object', json)
  const size = typeof description === 'object' && description !== null && 'size' in description
  return size ? Number(description.size) : NaN
}
