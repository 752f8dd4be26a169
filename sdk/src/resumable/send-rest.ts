import { tusBytes } from '@svc/contract'
import { ApiError } from '../errors/api-error.ts'
import { waitBeforeRetry } from '../retry/retry-policy.ts'
import type { Connection } from '../http/connection.ts'
import { pathTo } from '../http/calls.ts'
import type { ResumePoint } from './begin-file.ts'
import type { ResumableFile } from './resumable-file.ts'
import { recoveryFor, retryPolicyOf } from './recovery.ts'
import { parseOffset, fetchState, tusHeaders } from './tus-state.ts'

/** Bytes of the first reduced part for a proxy that limits bodies, and the minimum that it must accept. */
const maxReducedBytes = 64 * 1024 * 1024
export const minPartBytes = 1024 * 1024

/**
 * Sends the rest of a file that is begun, and resumes after interruptions.
 * @throws ApiError when the server refuses, or after too many failures
 */
export async function sendRest(
  connection: Connection,
  file: ResumableFile,
  resumePoint: ResumePoint,
): Promise<void> {
  const { size, signal } = file
  const { fileID } = resumePoint
  let { offset } = resumePoint
  let maxPartBytes = file.maxPartSize ?? Infinity
  let overridden = false
  let failures = 0
  while (offset < size) {
    const start = offset
    const end = Math.min(size, start + maxPartBytes)
    try {
      offset = await sendPart(connection, file, { fileID, start, end, overridden })
      failures = 0
    } catch (error) {
      signal?.throwIfAborted()
      switch (recoveryFor(error)) {
        case 'none':
          throw error
        case 'override':
          if (overridden) throw error
          overridden = true
          break
        case 'smaller':
          if (end - start <= minPartBytes) throw error
          maxPartBytes = smallerPart(end - start)
          break
        case 'again': {
          failures += 1
          offset = await offsetAfterFailure(connection, file, { fileID, failures, error })
          if (offset > start) failures = 0
          // Some proxies close the connection of a body beyond their limit, without a response.
          else if (failures > 1 && end - start > minPartBytes) maxPartBytes = smallerPart(end - start)
        }
      }
    }
  }
}

const smallerPart = (bytes: number) =>
  Math.max(minPartBytes, Math.min(maxReducedBytes, Math.floor(bytes / 2)))

interface Part {
  readonly fileID: string
  readonly start: number
  readonly end: number
  readonly overridden: boolean
}

/** @returns the offset of the next part */
async function sendPart(
  connection: Connection,
  { uploadID, uploadToken, size, slice, signal, onProgress }: ResumableFile,
  { fileID, start, end, overridden }: Part,
): Promise<number> {
  const response = await connection.sendPart(pathTo('PATCH /tus/{uploadID}/{fileID}', { uploadID, fileID }), {
    method: overridden ? 'POST' : 'PATCH',
    headers: {
      ...tusHeaders,
      'content-type': tusBytes.type,
      'upload-offset': String(start),
      ...(overridden && { 'x-http-method-override': 'PATCH' }),
    },
    body: slice(start, end),
    onProgress: ({ sent }) => onProgress?.({ sent: start + sent, total: size }),
    signal,
    uploadToken,
  })
  const offset = parseOffset(response.header('upload-offset'))
  if (offset === undefined || offset <= start)
    throw new ApiError(
      response.status,
      'invalid_response',
      'the response comes from a proxy, not from the server',
    )
  return offset
}

/**
 * Requests the offset at which the file resumes, once the server is reachable again.
 * @throws the last error after too many failures
 */
async function offsetAfterFailure(
  connection: Connection,
  file: ResumableFile,
  {
    fileID,
    failures,
    error,
  }: { readonly fileID: string; readonly failures: number; readonly error: unknown },
): Promise<number> {
  const policy = retryPolicyOf(connection, file)
  let lastError = error
  for (let count = failures; ; count += 1) {
    await waitBeforeRetry(policy, count, lastError)
    try {
      return (await fetchState(connection, file, fileID)).offset
    } catch (next) {
      lastError = next
    }
  }
}
