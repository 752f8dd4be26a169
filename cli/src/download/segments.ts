import type { File } from '@svc/contract'
import { isResumable } from '@svc/sdk'
import { bytesIn } from './byte-range.ts'
import type { DownloadContext } from './download-context.ts'

/** Bytes that one connection requests at a time. They are in memory until those before them are written. */
const segmentBytes = 4 * 1024 * 1024

/**
 * The bytes of a file from a position on, over several connections, in order. It ends early when the server does not send
 * ranges of the file, and without any bytes where one connection is enough.
 */
export async function* inSegments(
  context: DownloadContext,
  file: File,
  start: number,
): AsyncGenerator<readonly Uint8Array<ArrayBuffer>[], void> {
  const { jobs, upload } = context
  const { fileSize } = file
  if (jobs === 1 || !isResumable(upload) || fileSize - start <= segmentBytes) return
  // Ends the requests that are not awaited.
  const stop = new AbortController()
  const signal = AbortSignal.any([context.signal, stop.signal])
  const retryPolicy = { ...context.retryPolicy, signal }
  const running: Promise<Uint8Array<ArrayBuffer> | undefined>[] = []
  let next = start
  const request = () => {
    const range = { start: next, end: Math.min(fileSize, next + segmentBytes) }
    next = range.end
    const segment = bytesIn({ ...context, signal, retryPolicy }, file, range)
    // An error is thrown when the segment is awaited.
    segment.catch(() => undefined)
    running.push(segment)
  }
  try {
    while (running.length < jobs && next < fileSize) request()
    for (let first = running.shift(); first !== undefined; first = running.shift()) {
      const bytes = await first
      if (bytes === undefined) return
      if (next < fileSize) request()
      yield [bytes]
    }
  } finally {
    stop.abort()
  }
}
