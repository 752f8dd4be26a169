import { tusPath } from '@svc/contract'
import { ApiError } from '../api-error.ts'
import type { Connection } from '../connection.ts'
import { segment } from '../paths.ts'

/** What every request of tus 1.0.0 tells. */
export const version = { 'tus-resumable': '1.0.0' }

interface Asking {
  readonly uploadID: string
  readonly uploadToken?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Where a file goes on, and how long it will be. Bytes. @throws ApiError `invalid_answer` when that is not told */
export async function stateOf(
  connection: Connection,
  { uploadID, uploadToken, signal }: Asking,
  fileID: string,
): Promise<{ readonly offset: number; readonly size: number | undefined }> {
  const answer = await connection.call(
    tusPath(segment(uploadID), segment(fileID)),
    { method: 'HEAD', headers: version, ...(signal && { signal }) },
    { uploadToken },
  )
  const offset = offsetIn(answer.header('upload-offset'))
  if (offset === undefined)
    throw new ApiError(answer.status, 'invalid_answer', 'the server does not say where the file goes on')
  return { offset, size: offsetIn(answer.header('upload-length')) }
}

/** Bytes in a header. */
export const offsetIn = (value: string | null) =>
  value !== null && /^\d+$/.test(value) ? Number(value) : undefined
