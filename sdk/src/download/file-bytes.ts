import type { Access } from '../http/access.ts'
import { ApiError, networkError } from '../errors/api-error.ts'
import { isTransient, waitBeforeRetry, type RetryPolicy } from '../retry/retry-policy.ts'
import type { Client } from '../api/client.ts'
import type { LinkedUpload } from '../api/links.ts'
import { bodyChunks } from '../http/body-chunks.ts'
import { checkResponse, resumeRange, type DownloadedFile, type DownloadRules } from './stored-file.ts'

type Bytes = Uint8Array<ArrayBuffer>

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

export interface FileBytesOptions extends Access, Omit<RetryPolicy, 'retries'> {
  /** Number of bytes that the caller already has: reading starts after them. */
  readonly start?: number | undefined
  /** Verifies all bytes at the end. For a resumed download it already contains the bytes before `start`. */
  readonly md5?: Md5Hasher | undefined
  /** How many attempts may fail in a row; 5 by default. */
  readonly retries?: number | undefined
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined
}

/** The body of a response, to be read once. */
export interface BodyReader {
  /**
   * The bytes in order, in batches of any size.
   * @throws ApiError `network` for a broken connection
   */
  readonly batches: AsyncIterable<readonly Bytes[]>
  /** Closes the connection, also of a body that was not read. */
  readonly cancel: () => Promise<void> | void
}

export interface FileBatchesOptions extends FileBytesOptions {
  /** Reads a body by faster means of the environment than its stream. */
  readonly readBody?: ((response: Response) => BodyReader) | undefined
}

type Downloader = Pick<Client, 'download'>
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
  client: Downloader,
  upload: DownloadedUpload,
  file: DownloadedFile,
  options: FileBytesOptions = {},
): AsyncGenerator<Bytes, void> {
  for await (const batch of fileBatches(client, upload, file, options)) yield* batch
}

/** `fileBytes` in the batches of the connection, for callers that write several chunks at once. */
export async function* fileBatches(
  client: Downloader,
  upload: DownloadedUpload,
  file: DownloadedFile,
  options: FileBatchesOptions,
): AsyncGenerator<readonly Bytes[], void> {
  const { start = 0, md5, retries = 5, isRetryable = isTransient } = options
  const state: DownloadState = { position: start, failures: 0 }
  const policy: RetryPolicy = {
    ...options,
    retries,
    isRetryable: (error) => isRetryable(error) || isOwnDownload(error, state),
  }
  while (!isWhole(upload, file, state.position)) {
    const before = state.position
    try {
      yield* received(client, upload, file, { ...options, state })
      break
    } catch (error) {
      if (upload.stream && state.position > 0) throw error
      state.failures = state.position > before ? 1 : state.failures + 1
      await waitBeforeRetry(policy, state.failures, error)
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

/** A one-shot file is released a moment after a broken connection. Until then, the server reports a download in progress. */
const isOwnDownload = (error: unknown, { position, failures }: DownloadState): boolean =>
  error instanceof ApiError && error.code === 'download_in_progress' && (failures > 1 || position > 0)

/** The bytes of one request, without those that were already returned. */
async function* received(
  client: Downloader,
  upload: DownloadedUpload,
  file: DownloadedFile,
  {
    state,
    md5,
    onProgress,
    signal,
    readBody = (response) => webBody(response, signal),
    uploadToken,
    requestToken,
    credentials,
  }: FileBatchesOptions & { readonly state: DownloadState },
): AsyncGenerator<readonly Bytes[], void> {
  const { position } = state
  const ranged = resumeRange(position, upload, file)
  const response = await client.download(upload, file, {
    uploadToken,
    requestToken,
    credentials,
    signal,
    ...ranged,
  })
  const body = readBody(response)
  const total = upload.stream ? undefined : file.fileSize
  try {
    let skipped = position - checkResponse(response, upload, file, position)
    onProgress?.({ received: position, total })
    for await (const all of body.batches) {
      const batch: Bytes[] = []
      for (const chunk of all) {
        const fresh = chunk.subarray(skipped)
        skipped -= chunk.length - fresh.length
        if (fresh.length === 0) continue
        if (total !== undefined && state.position + fresh.length > total)
          throw new ApiError(
            response.status,
            'invalid_response',
            `${file.fileName}: the response is longer than the file`,
          )
        state.position += fresh.length
        md5?.update(fresh)
        batch.push(fresh)
      }
      if (batch.length === 0) continue
      onProgress?.({ received: state.position, total })
      yield batch
    }
  } finally {
    await body.cancel()
  }
  // Some proxies end a truncated response as if it were complete.
  if (total !== undefined && state.position < total) throw networkError()
}

/** A body as the Fetch standard has it. */
const webBody = (response: Response, signal: AbortSignal | undefined): BodyReader => ({
  batches: (async function* () {
    for await (const chunk of bodyChunks(response, signal)) yield [chunk]
  })(),
  // An unread body would keep its connection open.
  cancel: async () => {
    if (response.body?.locked === false) await response.body.cancel()
  },
})
