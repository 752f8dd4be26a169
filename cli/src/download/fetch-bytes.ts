import type { File, Upload } from '@svc/contract'
import { ApiError, checkResponse, isResumable, resumeRange, type Access, type Client } from '@svc/sdk'
import { printable } from '@svc/terminal'
import { Failure } from '../errors/failure.ts'
import { waitBeforeRetry, type RetryPolicy } from '../transfer/retry.ts'
import type { Throttle } from '../transfer/throttle.ts'
import { bodyOf, type ResponseBody } from '../http/response-body.ts'
import type { Sink } from '../files/sink.ts'

/** The context of the downloads of an upload. */
export interface DownloadContext {
  readonly client: Client
  /** For large files that can be requested twice. */
  readonly direct?: Client | undefined
  readonly upload: Upload
  readonly access: Access
  readonly retrying: RetryPolicy
  readonly limit: Throttle
  readonly signal: AbortSignal
  readonly onBytes: (bytes: number) => void
  readonly verify: boolean
}

/**
 * Downloads a file into a sink and resumes after broken connections.
 * @throws Failure, ApiError, the signal's reason. The sink keeps the received bytes.
 */
export async function fetchBytes(fetching: DownloadContext, file: File, sink: Sink): Promise<void> {
  const { upload, retrying, onBytes } = fetching
  onBytes(sink.position())
  const complete = () => !upload.stream && file.fileSize > 0 && sink.position() === file.fileSize
  for (let failed = 0; !complete();) {
    const before = sink.position()
    try {
      await receive(fetching, file, sink)
      break
    } catch (error) {
      if (upload.stream && sink.position() > 0) throw error
      const next = sink.position() > before ? 1 : failed + 1
      await waitBeforeRetry(retrying, next, failed > 0 ? transientWhenBusy(error) : error)
      failed = next
    }
  }
  await checkComplete(fetching, file, sink)
}

/** A one-time file is released a moment after a broken connection. Until then, the server reports a download in progress. */
function transientWhenBusy(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'download_in_progress') return error
  return new ApiError(503, error.code, error.message, { cause: error })
}

async function checkComplete({ upload, verify }: DownloadContext, file: File, sink: Sink): Promise<void> {
  const name = printable(file.fileName)
  if (!upload.stream && sink.position() !== file.fileSize)
    throw new Failure(`${name}: ${String(sink.position())} of ${String(file.fileSize)} bytes were received`)
  if (!verify || file.md5 === '' || (await sink.digest()) === file.md5) return
  throw new CorruptFileFailure(`${name}: the downloaded bytes differ from the uploaded file (MD5 differs)`)
}

/** Damaged bytes, with which a download must not resume. */
export class CorruptFileFailure extends Failure {}

async function receive(fetching: DownloadContext, file: File, sink: Sink): Promise<void> {
  const { upload, access, signal } = fetching
  if (!isResumable(upload)) await restart(fetching, sink)
  const position = sink.position()
  const response = await clientFor(fetching, file).download(upload, file, {
    ...access,
    signal,
    ...resumeRange(position, upload, file),
  })
  const bytes = bodyOf(response)
  try {
    if (checkResponse(response, upload, file, position) !== position) await restart(fetching, sink)
    await copyToSink(fetching, bytes, sink)
  } finally {
    bytes.destroy()
  }
}

/** Bytes. For a smaller file, opening a direct connection takes longer than the download. */
const directFrom = 1024 * 1024

const clientFor = ({ client, direct = client, upload }: DownloadContext, { fileSize }: File): Client =>
  isResumable(upload) && fileSize > directFrom ? direct : client

async function restart({ onBytes }: DownloadContext, sink: Sink): Promise<void> {
  const had = sink.position()
  if (had === 0) return
  await sink.restart()
  onBytes(-had)
}

/** Copies bytes from the connection to the sink. The next batch is read while one is written. */
async function copyToSink(
  { limit, signal, onBytes }: DownloadContext,
  bytes: ResponseBody,
  sink: Sink,
): Promise<void> {
  let writing = Promise.resolve()
  const write = async (chunks: readonly Buffer[]) => {
    const size = chunks.reduce((sum, { length }) => sum + length, 0)
    await writing
    writing = sink.write(chunks).then(() => {
      onBytes(size)
    })
    // The next write, or the end, reports an error of this one.
    writing.catch(() => undefined)
  }
  try {
    for await (const chunks of bytes.batches((size) => limit(size, signal))) await write(chunks)
  } catch (error) {
    await writing
    signal.throwIfAborted()
    if (error instanceof Failure) throw error
    throw new ApiError(0, 'network', 'the connection was cut', { cause: error })
  }
  await writing
}
