import type { Access, LinkedFile, LinkedUpload } from '@svc/sdk'
import { downloadAccess } from '../api/download-access.ts'
import { bytesApi } from '../api/bytes-api.ts'

/** A stored file of an encrypted upload, and the access to the upload. */
export interface EncryptedFile {
  readonly upload: LinkedUpload
  /** The size is that of the stored bytes. */
  readonly file: LinkedFile & { readonly fileSize: number }
  readonly access: Access
}

interface FetchOptions {
  /** First byte, and the one after the last. */
  readonly range?: { readonly start: number; readonly end: number }
  readonly signal?: AbortSignal | undefined
}

/**
 * The encrypted bytes as a response. A request without a range consumes a one-shot file.
 * @throws ApiError
 */
export function fetchEncrypted(
  encrypted: EncryptedFile,
  { range, signal }: FetchOptions = {},
): Promise<Response> {
  return bytesApi.download(encrypted.upload, encrypted.file, {
    ...downloadAccess(encrypted.upload, encrypted.access),
    ...(range && { range: { start: range.start, end: range.end - 1 } }),
    signal,
  })
}

/**
 * The body of a response.
 * @throws TypeError without a body
 */
export function bodyOf(response: Response): ReadableStream<Uint8Array> {
  if (response.body === null) throw new TypeError('the response has no body')
  return response.body
}
