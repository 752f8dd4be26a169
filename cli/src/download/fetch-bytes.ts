import type { File, Upload } from '@svc/contract'
import {
  fileBatches,
  isResumable,
  type Access,
  type BodyReader,
  type Client,
  type RetryPolicy,
} from '@svc/sdk'
import { printable } from '@svc/terminal'
import { Failure } from '../errors/failure.ts'
import type { RateLimit } from '../transfer/rate-limit.ts'
import { withNetworkErrors } from '../http/network-errors.ts'
import { bodyOf } from '../http/response-body.ts'
import type { Sink } from '../files/sink.ts'

/** The context of the downloads of an upload. */
export interface DownloadContext {
  readonly client: Client
  /** For large files that can be requested twice. */
  readonly direct?: Client | undefined
  readonly upload: Upload
  readonly access: Access
  readonly retryPolicy: RetryPolicy
  readonly rateLimit: RateLimit
  readonly signal: AbortSignal
  readonly onBytes: (bytes: number) => void
  readonly verify: boolean
}

/** The bytes that a download keeps until it is complete. */
export interface PartialFile {
  readonly path: string
  readonly content: 'plain' | 'decrypted' | 'encrypted'
}

/**
 * Downloads the bytes of a file that a sink does not have yet, and resumes after broken connections.
 * @throws Failure, ApiError, the signal's reason. The sink keeps the received bytes.
 */
export async function fetchBytes(fetching: DownloadContext, file: File, sink: Sink): Promise<void> {
  const { onBytes } = fetching
  onBytes(sink.position())
  await writeBatches(receive(fetching, file, sink.position()), sink, onBytes)
  await verifyBytes(fetching, file, sink)
}

/** The bytes of a file from a position on. After a broken connection they continue. */
export function receive(
  fetching: DownloadContext,
  file: File,
  start: number,
): AsyncGenerator<readonly Uint8Array<ArrayBuffer>[], void> {
  const { upload, access, retryPolicy, signal, rateLimit } = fetching
  const readBody = (response: Response): BodyReader => {
    const { batches, destroy } = bodyOf(response)
    const paced = batches((bytes) => rateLimit(bytes, signal))
    return { batches: withNetworkErrors(paced, signal), cancel: destroy }
  }
  const options = { ...access, ...retryPolicy, signal, start, readBody }
  return fileBatches(clientFor(fetching, file), upload, file, options)
}

/** Bytes. For a smaller file, opening a direct connection takes longer than the download. */
const directFrom = 1024 * 1024

const clientFor = ({ client, direct = client, upload }: DownloadContext, { fileSize }: File): Client =>
  isResumable(upload) && fileSize > directFrom ? direct : client

/** Writes batches to the sink. The next batch is read while one is written. */
async function writeBatches(
  batches: AsyncIterable<readonly Uint8Array[]>,
  sink: Sink,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const write = async (batch: readonly Uint8Array[]) => {
    await sink.write(batch)
    onBytes(batch.reduce((sum, { length }) => sum + length, 0))
  }
  let writing = Promise.resolve()
  try {
    for await (const batch of batches) {
      await writing
      writing = write(batch)
      // The next write, or the end, reports an error of this one.
      writing.catch(() => undefined)
    }
  } finally {
    await writing
  }
}

/** Damaged bytes, with which a download must not resume. */
export class CorruptFileFailure extends Failure {}

/** The sink hashes the bytes, not the SDK: a thread does it for a large file, and it knows the bytes of earlier runs. */
async function verifyBytes({ verify }: DownloadContext, file: File, sink: Sink): Promise<void> {
  if (!verify || file.md5 === '' || (await sink.digest()) === file.md5) return
  const name = printable(file.fileName)
  throw new CorruptFileFailure(`${name}: the downloaded bytes differ from the uploaded file (MD5 differs)`)
}
