/** Bytes that are read in chunks. */
export interface StreamSource {
  /** Size in bytes. Absent when unknown: the request then has no `Content-Length`. */
  readonly size?: number | undefined
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Bytes that can be read again from any offset, so that an upload can resume. */
export interface SeekableSource {
  /** Size in bytes. */
  readonly size: number
  /** The bytes from `start` up to, but not including, `end`. A file that is sent in parallel has several reads at the same time. */
  readonly between: (start: number, end: number) => AsyncIterable<Uint8Array>
}

/** The bytes of a file: a `Blob` (a browser's `File`, Node's `fs.openAsBlob`), a file, or a stream. */
export type Source = Blob | SeekableSource | StreamSource

/** A part of a source that can be read again; undefined when it cannot. */
export function sliceOf(source: Source): ((start: number, end: number) => Blob | StreamSource) | undefined {
  if (source instanceof Blob) return (start, end) => source.slice(start, end)
  if (!('between' in source)) return undefined
  return (start, end) => ({ size: end - start, chunks: source.between(start, end) })
}

/** Progress of a transfer, in bytes of the file. `total` is undefined when the size is unknown. */
export interface Progress {
  readonly sent: number
  readonly total: number | undefined
}

const chunkBytes = 256 * 1024

/** Reports how much of a source has been read. */
export async function* countedChunks(
  source: Source,
  onProgress: ((progress: Progress) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  const total = source.size
  let sent = 0
  onProgress?.({ sent, total })
  for await (const chunk of chunksOf(source)) {
    yield chunk
    // The connection requests a chunk once it has sent the one before.
    sent += chunk.length
    onProgress?.({ sent, total })
  }
}

const isUnshared = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer

/**
 * The bytes of a source as a blob. Browsers keep large blobs on disk.
 * @throws the signal's reason; the errors of the source
 */
export async function blobOf(source: Source, signal?: AbortSignal): Promise<Blob> {
  if (source instanceof Blob) return source
  const parts: Blob[] = []
  for await (const chunk of chunksOf(source)) {
    signal?.throwIfAborted()
    // The blob makes a copy; it does not accept shared memory.
    parts.push(new Blob([isUnshared(chunk) ? chunk : chunk.slice()]))
  }
  return new Blob(parts)
}

/** Splits a chunk, since a blob in memory may be a single one: smaller chunks allow progress and cancelling. Nothing is copied. */
function* smallChunks(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; start += chunkBytes)
    yield chunk.subarray(start, start + chunkBytes)
}

/** The bytes of a source in chunks. Some browsers cannot iterate over a stream with `for await`, so a reader does it. */
async function* chunksOf(source: Source): AsyncGenerator<Uint8Array> {
  if (!(source instanceof Blob)) {
    const chunks = 'between' in source ? source.between(0, source.size) : source.chunks
    for await (const chunk of chunks) yield* smallChunks(chunk)
    return
  }
  const reader = source.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* smallChunks(value)
    }
  } finally {
    await reader.cancel()
  }
}
