import { StoreUnavailableError } from '../backend/backend.ts'
import type { GcsCalls } from './calls.ts'
import { fewRetries, withRetries, type RetryPolicy } from '../network/retry-policy.ts'
import type { Part } from '../network/gather-parts.ts'
import { readText, type StoreResponse } from '../network/client.ts'
import { expectStatus, parseJsonResponse, statusOf } from '../network/store-error.ts'
import type { PartWriter } from '../network/sequential-part-writer.ts'

const nothing = new Uint8Array()

/** The size of the stored object differs from the bytes sent. */
export class WrongSizeError extends Error {
  override readonly name = 'WrongSizeError'
}

/**
 * Writes one object: a small one with a single request, others in chunks of a resumable session, in which a broken chunk
 * continues from the bytes that the store has.
 */
export function gcsUpload(calls: GcsCalls, name: string, retryPolicy: RetryPolicy): PartWriter {
  let session: string | undefined
  /** The object may exist, because a request to create it was sent. */
  let mayExist = false

  const begin = async (signal: AbortSignal) =>
    withRetries(
      async () => {
        const response = await calls.startSession(name, signal)
        await expectStatus('a new upload', response, 200, 201)
        const { location } = response.headers
        if (location === undefined) throw new StoreUnavailableError('a new upload has no address')
        return location
      },
      retryPolicy,
      signal,
    )

  return {
    async write(part, signal) {
      try {
        if (part.last) mayExist = true
        if (session === undefined && part.last) {
          await createObject({ calls, name, size: part.bytes.length, retryPolicy, signal }, () =>
            calls.insert(name, part.bytes, signal),
          )
          return
        }
        session ??= await begin(signal)
        await sendChunk(calls, session, part, { retryPolicy, signal })
      } catch (error) {
        // The existing object is not ours.
        if (statusOf(error) === 412) mayExist = false
        throw error
      }
    },
    async undo() {
      const ended = session
      if (ended !== undefined) {
        const cancel = () => calls.session({ method: 'DELETE', url: ended, body: nothing })
        // 499 is the status of a cancelled session; other statuses mean that it is complete.
        await withRetries(async () => (await cancel()).destroy(), fewRetries)
      }
      if (mayExist) await removeObject(calls, name, fewRetries)
    },
  }
}

export interface NewObject {
  readonly calls: GcsCalls
  readonly name: string
  /** Expected size in bytes. */
  readonly size: number
  readonly retryPolicy: RetryPolicy
  readonly signal: AbortSignal
}

/**
 * Creates an object, with retries.
 * @throws WrongSizeError
 */
export async function createObject(
  { calls, name, size, retryPolicy, signal }: NewObject,
  make: () => Promise<StoreResponse>,
): Promise<void> {
  const stored = await withRetries(
    async (attempt) => {
      const response = await make()
      // On a retry, the existing object is that of a previous attempt whose response was lost.
      if (response.status !== 412 || attempt === 1)
        return sizeIn(await expectStatus('a new object', response, 200))
      response.destroy()
      return sizeIn(await expectStatus('an object', await calls.describe(name), 200))
    },
    retryPolicy,
    signal,
  )
  if (stored !== size)
    throw new WrongSizeError(`the store has ${String(stored)} bytes of an object of ${String(size)}`)
}

/** Succeeds when there is no such object. */
export async function removeObject(calls: GcsCalls, name: string, retryPolicy: RetryPolicy): Promise<void> {
  await withRetries(
    async () => expectStatus('the removal of an object', await calls.remove(name), 204, 200, 404),
    retryPolicy,
  )
}

interface ChunkOptions {
  readonly retryPolicy: RetryPolicy
  readonly signal: AbortSignal
}

async function sendChunk(
  { session: request }: GcsCalls,
  session: string,
  { bytes, start, last }: Part,
  { retryPolicy, signal }: ChunkOptions,
): Promise<void> {
  const end = start + bytes.length
  const total = last ? String(end) : '*'
  const put = async (range: string, body: Uint8Array) => {
    const headers = { 'content-range': `bytes ${range}/${total}` }
    return progressOf(await request({ method: 'PUT', url: session, headers, body, signal }))
  }
  const putFrom = (position: number) =>
    put(`${String(position)}-${String(end - 1)}`, bytes.subarray(position - start))

  await withRetries(
    async (attempt) => {
      // After an error, only the store knows what it has.
      let progress = attempt === 1 ? { stored: start, isComplete: false } : await put('*', nothing)
      if (!progress.isComplete && progress.stored >= start && progress.stored < end)
        progress = await putFrom(progress.stored)
      const { stored, isComplete } = progress
      if (isComplete === last && stored === end) return
      if (isComplete || stored < start || stored > end)
        throw new WrongSizeError(`the store has ${String(stored)} bytes of an upload of ${String(end)}`)
      throw new StoreUnavailableError('the store accepted only a part of a chunk')
    },
    retryPolicy,
    signal,
  )
}

interface Progress {
  /** How many bytes of the object the store has. */
  readonly stored: number
  readonly isComplete: boolean
}

async function progressOf(response: StoreResponse): Promise<Progress> {
  if (response.status !== 308)
    return { stored: sizeIn(await expectStatus('a chunk', response, 200, 201)), isComplete: true }
  await readText(response)
  const last = /^bytes=0-(\d+)$/.exec(response.headers.range ?? '')?.[1]
  return { stored: last === undefined ? 0 : Number(last) + 1, isComplete: false }
}

/**
 * The size in the description of an object.
 * @throws StoreUnavailableError
 */
export function sizeIn(json: string): number {
  const description = parseJsonResponse('the description of an object', json)
  const size = typeof description === 'object' && description !== null && 'size' in description
  return size ? Number(description.size) : NaN
}
