import { headers as names } from '@svc/contract'
import { ApiError } from '../errors/api-error.ts'
import { endpointCalls } from '../http/calls.ts'
import type { Connection } from '../http/connection.ts'
import { idIn } from '../http/upload-responses.ts'
import type { ResumePoint } from './begin-file.ts'
import { withRetries } from '../retry/retry-policy.ts'
import { isUnsupported, retryPolicyOf } from './recovery.ts'
import type { ResumableFile } from './resumable-file.ts'
import { partialMark } from './resume-memory.ts'
import { minPartBytes } from './send-rest.ts'
import { fetchState, removeUnfinished, tusHeaders } from './tus-state.ts'

/** The bytes of a partial upload in the file. */
export interface PartRange {
  readonly start: number
  readonly end: number
}

/** A file that is sent as partial uploads (tus 1.0.0, Concatenation). */
export interface PartialUploads {
  /** `reference` of the file that consists of them: it finds the file if the response to the request for it was lost. */
  readonly reference: string
  /** Ids of the partial uploads, in order. */
  readonly ids: readonly string[]
}

/** @param state state that `stateOf` returned */
export function partialsIn(state: string): PartialUploads {
  const [reference = '', ...ids] = state.slice(partialMark.length).split(' ')
  return { reference, ids }
}

/** The text that another attempt resumes with. */
export const stateOf = ({ reference, ids }: PartialUploads): string =>
  `${partialMark}${[reference, ...ids].join(' ')}`

/** Partial uploads that a file is divided into. */
export const countFor = ({ size, parallel = 1 }: ResumableFile): number =>
  Math.min(Math.floor(parallel), Math.floor(size / minPartBytes))

/** Divides a file into ranges of nearly the same size. */
export const rangesOf = (size: number, count: number): readonly PartRange[] =>
  Array.from({ length: count }, (_, index) => ({
    start: Math.floor((size * index) / count),
    end: Math.floor((size * (index + 1)) / count),
  }))

/** Whether the server joins partial uploads (tus 1.0.0, Concatenation). */
export async function supportsConcatenation(connection: Connection, file: ResumableFile): Promise<boolean> {
  const { uploadID, signal } = file
  try {
    const response = await withRetries(retryPolicyOf(connection, file), () =>
      endpointCalls(connection).request('OPTIONS /tus/{uploadID}', {
        params: { uploadID },
        headers: tusHeaders,
        signal,
      }),
    )
    return response.header('tus-extension')?.split(',').includes('concatenation') === true
  } catch (error) {
    if (isUnsupported(error)) return false
    throw error
  }
}

/**
 * Begins partial uploads. If one of them cannot begin, or the caller aborts, those that the server has begun are removed.
 * @returns their ids, in the order of the ranges
 * @throws ApiError when the server refuses, or after too many failures
 */
export async function beginPartials(
  connection: Connection,
  file: ResumableFile,
  ranges: readonly PartRange[],
): Promise<readonly string[]> {
  const creations = ranges.map((range) => beginPartial(connection, file, range))
  const { promise: aborted, reject: abort } = Promise.withResolvers<never>()
  const onAbort = () => {
    abort(file.signal?.reason)
  }
  file.signal?.addEventListener('abort', onAbort, { once: true })
  try {
    file.signal?.throwIfAborted()
    return await Promise.race([Promise.all(creations), aborted])
  } catch (error) {
    // Not awaited: a response may never come.
    for (const partial of creations)
      partial.then(
        (id) => removeUnfinished(connection, file, id),
        () => undefined,
      )
    throw error
  } finally {
    file.signal?.removeEventListener('abort', onAbort)
  }
}

/** The request is not aborted with the caller, because the id of what it has begun would stay unknown. */
const beginPartial = (
  connection: Connection,
  file: ResumableFile,
  { start, end }: PartRange,
): Promise<string> =>
  withRetries(retryPolicyOf(connection, file), async () => {
    const { uploadID, uploadToken } = file
    const response = await endpointCalls(connection).request('POST /tus/{uploadID}', {
      params: { uploadID },
      headers: { ...tusHeaders, 'upload-length': String(end - start), 'upload-concat': 'partial' },
      access: { uploadToken },
    })
    return idIn(response.header(names.fileId))
  })

/**
 * Where the partial uploads of an earlier attempt resume.
 * @returns undefined when one of them is gone, or has another size
 */
export async function resumePartials(
  connection: Connection,
  file: ResumableFile,
  ids: readonly string[],
): Promise<readonly ResumePoint[] | undefined> {
  const ranges = rangesOf(file.size, ids.length)
  try {
    return await Promise.all(
      ids.map(async (fileID, index) => {
        const { start = 0, end = 0 } = ranges[index] ?? {}
        const { offset, size } = await withRetries(retryPolicyOf(connection, file), () =>
          fetchState(connection, file, fileID),
        )
        if (size !== end - start) throw new GonePartial()
        return { fileID, offset }
      }),
    )
  } catch (error) {
    const isGone = error instanceof GonePartial || (error instanceof ApiError && error.status === 404)
    if (isGone) return undefined
    throw error
  }
}

/** The file was divided in another way. */
class GonePartial extends Error {}
