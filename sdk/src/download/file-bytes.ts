import type { Access } from '../core/access.ts'
import { ApiError, networkError } from '../core/api-error.ts'
import { isTransient, retryDelay } from '../core/retry.ts'
import type { Client } from '../api/client.ts'
import type { LinkedUpload } from '../core/links.ts'
import { wait as waitInTime, type Wait } from '../core/wait.ts'
import { bodyChunks } from './body-chunks.ts'
import { checkResponse, resumeRange, type DownloadedFile, type Giving } from './stored-file.ts'

/** Computes an MD5: that of `node:crypto` is one (`createHash('md5')`). Browsers have none of their own. */
export interface Md5Hasher {
  readonly update: (bytes: Uint8Array) => unknown
  /** The hash of all bytes, in hexadecimal digits. */
  readonly digest: (encoding: 'hex') => string | Promise<string>
}

/** How far a download has come, in bytes of the file. `total` is undefined when the size is unknown. */
export interface DownloadProgress {
  readonly received: number
  readonly total: number | undefined
}

export interface FileBytesOptions extends Access {
  /** Number of bytes that are there already: reading starts after them. */
  readonly start?: number | undefined
  /** Verifies all bytes at the end. For a resumed download it already contains the bytes that are there. */
  readonly md5?: Md5Hasher | undefined
  /** How many attempts may fail in a row; 5 by default. */
  readonly retries?: number | undefined
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined
  /** Called after each interruption, before the next attempt. */
  readonly onInterruption?: ((error: unknown) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** How time passes between two tries. */
  readonly wait?: Wait | undefined
  /** From 0 up to 1: what of a pause between two tries is left to chance. */
  readonly random?: (() => number) | undefined
}

type Downloading = Pick<Client, 'download'>
type DownloadedUpload = LinkedUpload & Giving

/** A download that has come so far. */
interface Sofar {
  position: number
  /** In a row, with nothing that came between. */
  failures: number
}

/**
 * The bytes of a file, in order, each once. After an interruption they resume with a range. A file that can be
 * downloaded once, which the server releases when its download breaks, starts again, leaving out what has
 * come. A stream, of which nothing is kept, fails once something of it has come. To stop reading ends the request.
 * @throws ApiError: the server's refusal; `network` after too many tries; `invalid_answer` when something between answers
 * in the server's place; `checksum_mismatch` when the MD5 is not that of the file. The signal's reason.
 */
export async function* fileBytes(
  client: Downloading,
  upload: DownloadedUpload,
  file: DownloadedFile,
  options: FileBytesOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { start = 0, md5, signal } = options
  const so: Sofar = { position: start, failures: 0 }
  while (!isWhole(upload, file, so.position)) {
    const before = so.position
    try {
      yield* received(client, upload, file, { ...options, so })
      break
    } catch (error) {
      signal?.throwIfAborted()
      if (so.position > before) so.failures = 0
      so.failures += 1
      await pause(upload, options, { error, so })
    }
  }
  if (md5 !== undefined && file.md5 !== '' && (await md5.digest('hex')) !== file.md5)
    throw new ApiError(
      0,
      'checksum_mismatch',
      `${file.fileName}: what has come is not what was sent (MD5 differs)`,
    )
}

/** An empty file is requested, too: its downloads may be counted. */
const isWhole = ({ stream }: Giving, { fileSize }: DownloadedFile, position: number) =>
  !stream && position > 0 && position === fileSize

/** What one request brings of what is missing. */
async function* received(
  client: Downloading,
  upload: DownloadedUpload,
  file: DownloadedFile,
  { so, md5, onProgress, signal, uploadToken, credentials }: FileBytesOptions & { readonly so: Sofar },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { position } = so
  const ranged = resumeRange(position, upload, file)
  const response = await client.download(upload, file, { uploadToken, credentials, signal, ...ranged })
  const total = upload.stream ? undefined : file.fileSize
  let skipped = position
  try {
    skipped -= checkResponse(response, upload, file, position)
    onProgress?.({ received: position, total })
    for await (const all of bodyChunks(response, signal)) {
      const chunk = all.subarray(skipped)
      skipped -= all.length - chunk.length
      if (chunk.length === 0) continue
      if (total !== undefined && so.position + chunk.length > total)
        throw new ApiError(response.status, 'invalid_answer', `${file.fileName}: more has come than was sent`)
      md5?.update(chunk)
      so.position += chunk.length
      onProgress?.({ received: so.position, total })
      yield chunk
    }
  } finally {
    // Also what is not read at all lets go of its connection.
    if (response.body?.locked === false) await response.body.cancel()
  }
  // Some proxies end what they lost as if it were whole.
  if (total !== undefined && so.position < total) throw networkError()
}

/** Waits before the next try. @throws the error where there is none */
async function pause(
  { stream }: Giving,
  { retries = 5, onInterruption, signal, wait = waitInTime, random = Math.random }: FileBytesOptions,
  { error, so: { position, failures } }: { readonly error: unknown; readonly so: Sofar },
): Promise<void> {
  if (!(error instanceof ApiError) || failures > retries || (stream && position > 0)) throw error
  // A one-time file is released a moment after a broken connection. Until then, the server reports a download in progress.
  const isOwnTry = error.code === 'download_in_progress' && (failures > 1 || position > 0)
  if (!isTransient(error) && !isOwnTry) throw error
  onInterruption?.(error)
  await wait(retryDelay(error, failures, random), signal)
}
