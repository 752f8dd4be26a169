import type { File, Upload } from '@svc/contract'
import { ApiError } from '../errors/api-error.ts'
import type { DownloadOptions } from '../http/connection.ts'

/** The fields of a file that its download needs. */
export type DownloadedFile = Pick<File, 'id' | 'fileName' | 'fileSize' | 'md5'>

/** The options of an upload that decide how its files are downloaded. */
export type DownloadRules = Pick<Upload, 'maxDownloads' | 'oneShot' | 'stream'>

/** The server ignores ranges for streams and for files with a download limit, so their downloads do not resume. */
export const isResumable = ({ oneShot, maxDownloads, stream }: DownloadRules): boolean =>
  !oneShot && maxDownloads === undefined && !stream

/** Requests the rest of a file, provided that the file has not changed. */
export function resumeRange(
  position: number,
  upload: DownloadRules,
  { md5 }: Pick<File, 'md5'>,
): Pick<DownloadOptions, 'range' | 'ifRange'> {
  if (position === 0 || !isResumable(upload)) return {}
  return { range: { start: position }, ...(md5 !== '' && { ifRange: `"${md5}"` }) }
}

const replaced = ({ fileName }: DownloadedFile, { status }: Response, what: string) =>
  new ApiError(
    status,
    'invalid_response',
    `${fileName}: the response is not the file (${what}); a proxy may have replaced it`,
  )

/**
 * Checks that a response has the bytes of the file, because a proxy may send a page in its place.
 * @param position requested position, in bytes
 * @returns the offset in the file at which the body begins: the position, or 0 for the whole file
 * @throws ApiError `invalid_response`
 */
export function checkResponse(
  response: Response,
  { stream }: DownloadRules,
  file: DownloadedFile,
  position: number,
): number {
  if (stream) return 0
  const { headers, status } = response
  const { fileSize, md5 } = file
  const tag = headers.get('etag') ?? ''
  // Object stores that serve presigned URLs may have ETags of another kind.
  if (/^"[\da-f]{32}"$/.test(tag) && md5 !== '' && tag !== `"${md5}"`)
    throw replaced(file, response, `its ETag is ${tag}`)
  if (status === 206) {
    const range = headers.get('content-range') ?? ''
    const expected = `bytes ${String(position)}-${String(fileSize - 1)}/${String(fileSize)}`
    if (range !== expected) throw replaced(file, response, `its Content-Range is “${range}”`)
    return position
  }
  const length = headers.get('content-length')
  if (length !== null && !headers.has('content-encoding') && Number(length) !== fileSize)
    throw replaced(file, response, `it has ${length} bytes instead of ${String(fileSize)}`)
  return 0
}
