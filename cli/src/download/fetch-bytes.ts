import type { File, Upload } from '@svc/contract'
import { ApiError, checkAnswer, isResumable, rangeFrom, type Access, type Client } from '@svc/sdk'
import { printable } from '@svc/terminal'
import { Failure } from '../failure.ts'
import { pause, type Retrying } from '../server/attempts.ts'
import type { Limit } from '../server/limit-rate.ts'
import { bytesOf, type BodyBytes } from '../server/body-bytes.ts'
import type { Sink } from './sink.ts'

/** What fetching the files of an upload needs. */
export interface Fetching {
  readonly client: Client
  /** For large files that may be asked for twice. */
  readonly direct?: Client | undefined
  readonly upload: Upload
  readonly access: Access
  readonly retrying: Retrying
  readonly limit: Limit
  readonly signal: AbortSignal
  readonly onBytes: (bytes: number) => void
  readonly verify: boolean
}

/**
 * Brings all bytes of a file into a sink, going on where a connection broke.
 * @throws Failure, ApiError, the signal's reason. What has come so far is in the sink.
 */
export async function fetchBytes(fetching: Fetching, file: File, sink: Sink): Promise<void> {
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
      await pause(retrying, next, failed > 0 ? passingWhenBusy(error) : error)
      failed = next
    }
  }
  await checkWhole(fetching, file, sink)
}

/** What can be had once is given back a moment after the connection broke: until then somebody seems to have it. */
function passingWhenBusy(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'download_in_progress') return error
  return new ApiError(503, error.code, error.message, { cause: error })
}

async function checkWhole({ upload, verify }: Fetching, file: File, sink: Sink): Promise<void> {
  const name = printable(file.fileName)
  if (!upload.stream && sink.position() !== file.fileSize)
    throw new Failure(`${name}: ${String(sink.position())} of ${String(file.fileSize)} bytes were received`)
  if (!verify || file.md5 === '' || (await sink.digest()) === file.md5) return
  throw new Damaged(`${name}: what has come is not what was sent (MD5 differs)`)
}

/** Bytes that are wrong, so that nothing can be built on them. */
export class Damaged extends Failure {}

async function receive(fetching: Fetching, file: File, sink: Sink): Promise<void> {
  const { upload, access, signal } = fetching
  if (!isResumable(upload)) await startAnew(fetching, sink)
  const position = sink.position()
  const response = await clientFor(fetching, file).download(upload, file, {
    ...access,
    signal,
    ...rangeFrom(position, upload, file),
  })
  const bytes = bytesOf(response)
  try {
    if (checkAnswer(response, upload, file, position) !== position) await startAnew(fetching, sink)
    await pour(fetching, bytes, sink)
  } finally {
    bytes.destroy()
  }
}

/** Bytes. A smaller file is there before a connection of its own is. */
const worthAConnection = 1024 * 1024

const clientFor = ({ client, direct = client, upload }: Fetching, { fileSize }: File): Client =>
  isResumable(upload) && fileSize > worthAConnection ? direct : client

async function startAnew({ onBytes }: Fetching, sink: Sink): Promise<void> {
  const had = sink.position()
  if (had === 0) return
  await sink.restart()
  onBytes(-had)
}

/** Moves bytes from the connection to the sink: while a batch is written, the next one is read. */
async function pour({ limit, signal, onBytes }: Fetching, bytes: BodyBytes, sink: Sink): Promise<void> {
  let writing = Promise.resolve()
  const write = async (chunks: readonly Buffer[]) => {
    const size = chunks.reduce((sum, { length }) => sum + length, 0)
    await writing
    writing = sink.write(chunks).then(() => {
      onBytes(size)
    })
    // Who fails is asked at the next batch, or at the end.
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
