/** Bytes that are asked for piece by piece. */
export interface StreamSource {
  /** Bytes in all. Absent when unknown: the body then goes out in chunks without a length. */
  readonly size?: number | undefined
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Where a file's bytes come from: a `Blob` (a browser's `File`, Node's `fs.openAsBlob`) or a stream. */
export type Source = Blob | StreamSource

/** How far a transfer has come, in bytes of the file. `total` is undefined when the size is unknown. */
export interface Progress {
  readonly sent: number
  readonly total: number | undefined
}

const pieceBytes = 256 * 1024

/** A blob in memory may come as one chunk; pieces keep progress and cancelling alive. No bytes are copied. */
function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; start += pieceBytes)
    yield chunk.subarray(start, start + pieceBytes)
}

/** The bytes of a source in pieces. Not every browser lets `for await` run over a stream, so it is read by hand. */
export async function* piecesOfSource(source: Source): AsyncGenerator<Uint8Array> {
  if (!(source instanceof Blob)) {
    for await (const chunk of source.chunks) yield* piecesOf(chunk)
    return
  }
  const reader = source.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* piecesOf(value)
    }
  } finally {
    await reader.cancel()
  }
}
