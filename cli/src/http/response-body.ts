/** Called with the number of received bytes; resolves when more may be read. */
export type Pace = (bytes: number) => Promise<void> | undefined

/** The bytes of a response in batches, to be read once and instead of its `body`. */
export interface ResponseBody {
  /**
   * Buffers in order. Those of a batch stay valid until the second batch after it is requested. Bytes that arrived before the
   * connection broke are returned before the error.
   */
  readonly batches: (pace: Pace) => AsyncGenerator<readonly Buffer<ArrayBuffer>[], void>
  /** Closes the connection. */
  readonly destroy: () => void
}

/** The connection's own bytes after a response: to read them directly is several times as fast. */
const bodies = new WeakMap<Response, ResponseBody>()

export function attachBody(response: Response, bytes: ResponseBody): Response {
  bodies.set(response, bytes)
  return response
}

export function bodyOf(response: Response): ResponseBody {
  const bytes = bodies.get(response)
  if (bytes === undefined) throw new TypeError('the response is not one of this connection')
  return bytes
}

/** Bytes that are collected before they are returned, because few writes are faster than many. */
const batchBytes = 1024 * 1024

/** Gathers the chunks of a stream. The first one comes alone: a caller may look at the beginning before it takes more. */
export async function* batched(
  chunks: AsyncIterable<Buffer<ArrayBuffer>>,
  pace: Pace,
): AsyncGenerator<readonly Buffer<ArrayBuffer>[], void> {
  let batch: Buffer<ArrayBuffer>[] = []
  let size = 0
  let wanted = 1
  try {
    for await (const chunk of chunks) {
      batch.push(chunk)
      size += chunk.length
      await pace(chunk.length)
      if (size < wanted) continue
      yield batch
      batch = []
      size = 0
      wanted = batchBytes
    }
  } catch (error) {
    if (size > 0) yield batch
    throw error
  }
  if (size > 0) yield batch
}
