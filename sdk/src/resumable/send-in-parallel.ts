import type { Connection } from '../http/connection.ts'
import type { ResumePoint } from './begin-file.ts'
import { randomReference } from './file-reference.ts'
import { withRetries } from '../retry/retry-policy.ts'
import { isUnsupported, recoveryFor, retryPolicyOf } from './recovery.ts'
import type { ResumableFile } from './resumable-file.ts'
import { clearSaved, saveState } from './resume-memory.ts'
import { sendRest } from './send-rest.ts'
import { removeUnfinished } from './tus-state.ts'
import { findJoined, joinPartials } from './join-partials.ts'
import {
  beginPartials,
  countFor,
  partialsIn,
  rangesOf,
  resumePartials,
  stateOf,
  supportsConcatenation,
  type PartialUploads,
} from './partial-uploads.ts'

/**
 * Sends a file as partial uploads at the same time, and joins them (tus 1.0.0, Concatenation). Each resumes where it stopped.
 * Without a memory, a failure or the abort of the caller removes them. With one, they stay for the next attempt, unless the server
 * refuses to join them.
 * @param saved the partial uploads that an earlier attempt has saved
 * @returns id of the file; undefined when one connection must send it
 * @throws ApiError when the server refuses, or after too many failures
 */
export async function sendInParallel(
  connection: Connection,
  file: ResumableFile,
  saved: string | undefined,
): Promise<string | undefined> {
  const resumed = saved === undefined ? undefined : await resume(connection, file, partialsIn(saved))
  if (typeof resumed === 'string') return resumed
  const parallelUpload = resumed ?? (await begin(connection, file))
  if (parallelUpload === undefined) return undefined
  const { partials, resumePoints, isSaved } = parallelUpload
  try {
    await sendAll(connection, file, resumePoints)
  } catch (error) {
    if (!isSaved) void removeAll(connection, file, partials)
    throw error
  }
  return join(connection, file, parallelUpload)
}

interface ParallelUpload {
  readonly partials: PartialUploads
  /** In the order of `partials`. */
  readonly resumePoints: readonly ResumePoint[]
  /** Whether another attempt can resume it. */
  readonly isSaved: boolean
}

/** @returns id of the file if it is complete; undefined when there is nothing to resume */
async function resume(
  connection: Connection,
  file: ResumableFile,
  partials: PartialUploads,
): Promise<ParallelUpload | string | undefined> {
  const policy = retryPolicyOf(connection, file)
  const joined = await withRetries(policy, () => findJoined(connection, file, partials))
  const resumePoints = joined === undefined ? await resumePartials(connection, file, partials.ids) : undefined
  if (resumePoints !== undefined) return { partials, resumePoints, isSaved: true }
  await clearSaved(connection, file)
  if (joined === undefined) void removeAll(connection, file, partials)
  return joined
}

/** @returns undefined when one connection must send the file */
async function begin(connection: Connection, file: ResumableFile): Promise<ParallelUpload | undefined> {
  const count = countFor(file)
  if (!(count > 1) || !(await supportsConcatenation(connection, file))) return undefined
  let ids: readonly string[]
  try {
    ids = await beginPartials(connection, file, rangesOf(file.size, count))
  } catch (error) {
    if (isUnsupported(error)) return undefined
    throw error
  }
  const partials = { reference: randomReference(), ids }
  const resumePoints = ids.map((fileID) => ({ fileID, offset: 0 }))
  try {
    return { partials, resumePoints, isSaved: await saveState(connection, file, stateOf(partials)) }
  } catch (error) {
    void removeAll(connection, file, partials)
    throw error
  }
}

/** Sends all partial uploads. If one fails, the others end. */
async function sendAll(
  connection: Connection,
  file: ResumableFile,
  resumePoints: readonly ResumePoint[],
): Promise<void> {
  const stop = new AbortController()
  const signal = file.signal === undefined ? stop.signal : AbortSignal.any([file.signal, stop.signal])
  const sent = resumePoints.map(({ offset }) => offset)
  const ranges = rangesOf(file.size, resumePoints.length)
  const send = async (resumePoint: ResumePoint, index: number) => {
    const { start = 0, end = 0 } = ranges[index] ?? {}
    const part: ResumableFile = {
      ...file,
      size: end - start,
      slice: (from, to) => file.slice(start + from, start + to),
      signal,
      onProgress: (progress) => {
        sent[index] = progress.sent
        file.onProgress?.({ sent: sent.reduce((sum, bytes) => sum + bytes, 0), total: file.size })
      },
    }
    try {
      await sendRest(connection, part, resumePoint)
    } catch (error) {
      stop.abort(error)
      throw error
    }
  }
  // None sends any more when it ends.
  await Promise.allSettled(resumePoints.map(send))
  signal.throwIfAborted()
}

async function join(
  connection: Connection,
  file: ResumableFile,
  { partials, isSaved }: ParallelUpload,
): Promise<string> {
  try {
    const id = await joinPartials(connection, file, partials)
    await clearSaved(connection, file)
    return id
  } catch (error) {
    const isRefused = file.signal?.aborted !== true && recoveryFor(error) !== 'again'
    if (isRefused) await clearSaved(connection, file)
    if (isRefused || !isSaved) void removeAll(connection, file, partials)
    throw error
  }
}

const removeAll = (connection: Connection, file: ResumableFile, { ids }: PartialUploads) =>
  Promise.all(ids.map((id) => removeUnfinished(connection, file, id)))
