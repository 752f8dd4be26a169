import type { Access } from '../http/access.ts'
import { ApiError, networkError } from '../errors/api-error.ts'
import { isTransient, retryDelay } from '../retry/retry-policy.ts'
import type { Client } from '../api/client.ts'
import type { LinkedUpload } from '../api/links.ts'
import { wait as waitFor, type Wait } from '../retry/wait.ts'
import { bodyChunks } from '../http/body-chunks.ts'
import { checkResponse, resumeRange, type DownloadedFile, type DownloadRules } from './stored-file.ts'

/** Computes an MD5, as `createHash('md5')` of `node:crypto` does. Browsers have no MD5. */
export interface Md5Hasher {
  readonly update: (bytes: Uint8Array) => unknown
  /** The hash of all bytes, in hexadecimal digits. */
  readonly digest: (encoding: 'hex') => string | Promise<string>
}

/** Progress of a download, in bytes of the file. `total` is undefined when the size is unknown. */
export interface DownloadProgress {
  readonly received: number
  readonly total: number | undefined
}

export interface FileBytesOptions extends Access {
  /** Number of bytes that the caller already has: reading starts after them. */
  readonly start?: number | undefined
  /** Verifies all bytes at the end. For a resumed download it already contains the bytes before `start`. */
  readonly md5?: Md5Hasher | undefined
  /** How many attempts may fail in a row; 5 by default. */
  readonly retries?: number | undefined
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined
  /** Called after each interruption, before the next attempt. */
  readonly onInterruption?: ((error: unknown) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Waits between attempts. */
  readonly wait?: Wait | undefined
  /** The random part of the delay between attempts: from 0, below 1. */
  readonly random?: (() => number) | undefined
}

type Downloading = Pick<Client, 'download'>
type DownloadedUpload = LinkedUpload & DownloadRules

/** The state of a download between attempts. */
interface DownloadState {
  position: number
  /** Consecutive failures without progress. */
  failures: number
}

/**
 * The bytes of a file, in order, each once. After an interruption a range request resumes the download. The server
 * releases a one-shot file when its download breaks: it starts again, and bytes that were already returned are skipped. A
 * stream is not stored, so it fails once some bytes have arrived. The request ends when the caller stops reading.
 * @throws ApiError: the server's refusal; `network` after too many attempts; `invalid_response` for a response of a proxy;
 * `checksum_mismatch` when the MD5 is not that of the file. The signal's reason.
 */
export async function* fileBytes(
  client: Downloading,
  upload: DownloadedUpload,
  file: DownloadedFile,
  options: FileBytesOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { start = 0, md5, signal } = options
  const state: DownloadState = { position: start, failures: 0 }
  while (!isWhole(upload, file, state.position)) {
    const before = state.position
    try {
      yield* received(client, upload, file, { ...options, state })
      break
    } catch (error) {
      signal?.throwIfAborted()
      if (state.position > before) state.failures = 0
      state.failures += 1
      await pause(upload, options, { error, state })
    }
  }
  if (md5 !== undefined && file.md5 !== '' && (await md5.digest('hex')) !== file.md5)
    throw new ApiError(
      0,
      'checksum_mismatch',
      `${file.fileName}: the downloaded bytes differ from the uploaded file (MD5 differs)`,
    )
}

/** An empty file is requested, too: its downloads may be counted. */
const isWhole = ({ stream }: DownloadRules, { fileSize }: DownloadedFile, position: number) =>
  !stream && position > 0 && position === fileSize

/** The bytes of one request, without those that were already returned. */
async function* received(
  client: Downloading,
  upload: DownloadedUpload,
  file: DownloadedFile,
  {
    state,
    md5,
    onProgress,
    signal,
    uploadToken,
    credentials,
  }: FileBytesOptions & { readonly state: DownloadState },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { position } = state
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
      if (total !== undefined && state.position + chunk.length > total)
        throw new ApiError(
          response.status,
          'invalid_response',
          `${file.fileName}: the response is longer than the file`,
        )
      md5?.update(chunk)
      state.position += chunk.length
      onProgress?.({ received: state.position, total })
      yield chunk
    }
  } finally {
    // An unread body would keep its connection open.
    if (response.body?.locked === false) await response.body.cancel()
  }
  // Some proxies end a truncated response as if it were complete.
  if (total !== undefined && state.position < total) throw networkError()
}

/**
 * Waits before the next attempt.
 * @throws the error when there is none
 */
async function pause(
  { stream }: DownloadRules,
  { retries = 5, onInterruption, signal, wait = waitFor, random = Math.random }: FileBytesOptions,
  { error, state: { position, failures } }: { readonly error: unknown; readonly state: DownloadState },
): Promise<void> {
  if (!(error instanceof ApiError) || failures > retries || (stream && position > 0)) throw error
  // A one-time file is released a moment after a broken connection. Until then, the server reports a download in progress.
  const isOwnTry = error.code === 'download_in_progress' && (failures > 1 || position > 0)
  if (!isTransient(error) && !isOwnTry) throw error
  onInterruption?.(error)
  await wait(retryDelay(error, failures, random), signal)
}
