import type { File, Upload } from '@svc/contract'
import { ApiError } from '../core/api-error.ts'
import type { DownloadOptions } from '../http/connection.ts'

/** What a download has to know of a file. */
export type DownloadedFile = Pick<File, 'id' | 'fileName' | 'fileSize' | 'md5'>

/** How an upload gives its files away. */
export type Giving = Pick<Upload, 'oneShot' | 'stream'>

/** What can be had once cannot be had in parts: the server answers a range of it with the whole (specification §4). */
export const isResumable = ({ oneShot, stream }: Giving): boolean => !oneShot && !stream

/** Asks for a file from some byte on, as long as it is the same file. */
export function resumeRange(
  position: number,
  upload: Giving,
  { md5 }: Pick<File, 'md5'>,
): Pick<DownloadOptions, 'range' | 'ifRange'> {
  if (position === 0 || !isResumable(upload)) return {}
  return { range: { start: position }, ...(md5 !== '' && { ifRange: `"${md5}"` }) }
}

const replaced = ({ fileName }: DownloadedFile, { status }: Response, what: string) =>
  new ApiError(
    status,
    'invalid_answer',
    `${fileName}: the answer is not the file (${what}); a proxy may have replaced it`,
  )

/**
 * Whether an answer has the bytes of a file: a proxy that answers in the server's place does not know what it is like.
 * @param position that was requested
 * @returns where in the file its body begins: the position, or 0 for the whole file
 * @throws ApiError `invalid_answer`
 */
export function checkResponse(
  response: Response,
  { stream }: Giving,
  file: DownloadedFile,
  position: number,
): number {
  if (stream) return 0
  const { headers, status } = response
  const { fileSize, md5 } = file
  const tag = headers.get('etag') ?? ''
  // Stores that give files away themselves may have tags of another kind.
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
