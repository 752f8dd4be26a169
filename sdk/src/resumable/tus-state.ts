import { ApiError } from '../errors/api-error.ts'
import type { Connection } from '../http/connection.ts'
import { endpointCalls } from '../http/calls.ts'

/** Headers of every request of tus 1.0.0. */
export const tusHeaders = { 'tus-resumable': '1.0.0' }

interface TusUpload {
  readonly uploadID: string
  readonly uploadToken?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Offset at which a file resumes, and its length, in bytes.
 * @throws ApiError `invalid_response` without an offset
 */
export async function fetchState(
  connection: Connection,
  { uploadID, uploadToken, signal }: TusUpload,
  fileID: string,
): Promise<{ readonly offset: number; readonly size: number | undefined }> {
  const response = await endpointCalls(connection).request('HEAD /tus/{uploadID}/{fileID}', {
    params: { uploadID, fileID },
    headers: tusHeaders,
    signal,
    access: { uploadToken },
  })
  const offset = parseOffset(response.header('upload-offset'))
  if (offset === undefined)
    throw new ApiError(
      response.status,
      'invalid_response',
      'the server does not state the offset of the file',
    )
  return { offset, size: parseOffset(response.header('upload-length')) }
}

/** Removes an unfinished file, also after the caller has aborted. Never rejects: what is left expires on the server. */
export async function removeUnfinished(
  connection: Connection,
  { uploadID, uploadToken }: TusUpload,
  fileID: string,
): Promise<void> {
  const removing = endpointCalls(connection).request('DELETE /tus/{uploadID}/{fileID}', {
    params: { uploadID, fileID },
    headers: tusHeaders,
    access: { uploadToken },
  })
  await removing.catch(() => undefined)
}

/** Bytes in a header. */
export const parseOffset = (value: string | null) =>
  value !== null && /^\d+$/.test(value) ? Number(value) : undefined
