import type { File, OpenUploadRequest, Upload, UploadRequest } from '@svc/contract'
import { ApiError } from '../errors/api-error.ts'
import { fileWithOurNames, uploadWithOurNames } from './plik-names.ts'

/**
 * Ids become parts of paths, also of files on a disk. Those of this service are 16 Base62 characters; other servers may
 * have others, but none with a special meaning in a path.
 */
const validID = /^[0-9A-Za-z_-]{1,64}$/

const isID = (value: unknown): value is string => typeof value === 'string' && validID.test(value)

function isFile(value: unknown): boolean {
  const { id, fileName } = (value ?? {}) as Partial<File>
  return isID(id) && typeof fileName === 'string'
}

/**
 * The upload of a response: another service may have sent it.
 * @throws ApiError `invalid_response`
 */
export function uploadIn(body: unknown): Upload {
  const { id, files: listed } = (body ?? {}) as { readonly id?: unknown; readonly files?: unknown }
  // Go writes an empty list as null.
  const files: unknown = listed === null ? [] : listed
  if (isID(id) && Array.isArray(files) && files.every(isFile))
    return uploadWithOurNames(body as Record<string, unknown>, files as Record<string, unknown>[])
  throw new ApiError(200, 'invalid_response', 'the response is not an upload; something else listens there')
}

/**
 * The file of a response to its upload. A response without one does not prove that the file is stored.
 * @throws ApiError `invalid_response`
 */
export function fileIn(body: unknown): File {
  const { id } = (body ?? {}) as Partial<File>
  if (isID(id)) return fileWithOurNames(body as Record<string, unknown>)
  throw new ApiError(200, 'invalid_response', 'the response is not a file; a proxy may have replaced it')
}

/**
 * The id in a header of a response.
 * @throws ApiError `invalid_response`
 */
export function idIn(header: string | null): string {
  if (isID(header)) return header
  throw new ApiError(200, 'invalid_response', 'the response has no id; a proxy may have replaced it')
}

/**
 * The upload request of a response.
 * @throws ApiError `invalid_response`
 */
export function requestIn<Request extends OpenUploadRequest | UploadRequest>(body: Request | null): Request {
  const { id, title }: { readonly id?: unknown; readonly title?: unknown } = body ?? {}
  if (body !== null && isID(id) && typeof title === 'string') return body
  throw new ApiError(
    200,
    'invalid_response',
    'the response is not an upload request; a proxy may have replaced it',
  )
}
