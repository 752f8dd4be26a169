import type { File } from '@svc/contract'
import { fileBatches, type BodyReader } from '@svc/sdk'
import { printable } from '@svc/terminal'
import { Failure } from '../errors/failure.ts'
import { withNetworkErrors } from '../http/network-errors.ts'
import { bodyOf } from '../http/response-body.ts'
import { algorithmNames } from '../files/checksum.ts'
import type { Sink } from '../files/sink.ts'
import { clientFor, type DownloadContext } from './download-context.ts'
import { inSegments } from './segments.ts'

/** The bytes that a download keeps until it is complete. */
export interface PartialFile {
  readonly path: string
  /** `plain`: the file is not encrypted. */
  readonly content: 'plain' | 'decrypted' | 'encrypted'
}

/**
 * Downloads the bytes of a file that a sink does not have yet, and resumes after broken connections.
 * @throws Failure, ApiError, the signal's reason. The sink keeps the received bytes.
 */
export async function fetchBytes(context: DownloadContext, file: File, sink: Sink): Promise<void> {
  const { onBytes } = context
  onBytes(sink.position())
  await writeBatches(receive(context, file, sink.position()), sink, onBytes)
  await verifyBytes(context, file, sink)
}

/** The bytes of a file from a position on. After a broken connection they continue. */
export async function* receive(
  context: DownloadContext,
  file: File,
  start: number,
): AsyncGenerator<readonly Uint8Array<ArrayBuffer>[], void> {
  let position = start
  for await (const batch of inSegments(context, file, start)) {
    yield batch
    position += batch.reduce((sum, { length }) => sum + length, 0)
  }
  if (position === 0 || position < file.fileSize || context.upload.stream)
    yield* inOrder(context, file, position)
}

function inOrder(
  context: DownloadContext,
  file: File,
  start: number,
): AsyncGenerator<readonly Uint8Array<ArrayBuffer>[], void> {
  const { upload, access, retryPolicy, signal, rateLimit } = context
  const readBody = (response: Response): BodyReader => {
    const { batches, destroy } = bodyOf(response)
    const paced = batches((bytes) => rateLimit(bytes, signal))
    return { batches: withNetworkErrors(paced, signal), cancel: destroy }
  }
  const options = { ...access, ...retryPolicy, signal, start, readBody }
  return fileBatches(clientFor(context, file.fileSize), upload, file, options)
}

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
  let lastWrite = Promise.resolve()
  try {
    for await (const batch of batches) {
      await lastWrite
      lastWrite = write(batch)
      // The next write, or the end, reports an error of this one.
      lastWrite.catch(() => undefined)
    }
  } finally {
    await lastWrite
  }
}

/** Damaged bytes, with which a download must not resume. */
export class CorruptFileFailure extends Failure {}

/** The sink hashes the bytes, not the SDK: a thread does it for a large file, and it knows the bytes of earlier runs. */
async function verifyBytes({ checksumOf }: DownloadContext, file: File, sink: Sink): Promise<void> {
  const checksum = checksumOf(file)
  if (checksum === undefined || (await sink.digest()) === checksum.value) return
  throw new CorruptFileFailure(
    `${printable(file.fileName)}: the downloaded bytes differ from the file on the server (${algorithmNames[checksum.algorithm]} differs)`,
  )
}
