/** Bytes, and the error after them. */
export interface Done {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly failure?: Error | undefined
}

/**
 * Processes several batches concurrently and returns the results in order.
 * @param concurrency maximum number of batches in progress or waiting for the reader
 * @throws the error of a result, after its bytes; later results are discarded
 */
export async function* runInOrder<Batch>(
  batches: AsyncGenerator<Batch>,
  concurrency: number,
  work: (batch: Batch) => Promise<Done>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const running: Promise<Done>[] = []
  for await (const batch of batches) {
    const result = work(batch)
    // The reader gets this error after the earlier batches.
    result.catch(() => undefined)
    running.push(result)
    if (running.length >= concurrency) yield* bytesOf(running.shift())
  }
  while (running.length > 0) yield* bytesOf(running.shift())
}

async function* bytesOf(result: Promise<Done> | undefined): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { bytes, failure } = (await result) ?? {}
  if (bytes && bytes.length > 0) yield bytes
  if (failure) throw failure
}
