/** Some bytes, and what went wrong after them. */
export interface Done {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly failure?: Error | undefined
}

/**
 * Works on several batches at once and gives the results in their order.
 * @param lanes most batches that are worked on, or wait to be taken, at a time
 * @throws the failure of a result, after its bytes; nothing of later ones is given away
 */
export async function* runInOrder<Batch>(
  batches: AsyncGenerator<Batch>,
  lanes: number,
  work: (batch: Batch) => Promise<Done>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const running: Promise<Done>[] = []
  for await (const batch of batches) {
    const result = work(batch)
    // A reader of an earlier batch gets this error later.
    result.catch(() => undefined)
    running.push(result)
    if (running.length >= lanes) yield* given(running.shift())
  }
  while (running.length > 0) yield* given(running.shift())
}

async function* given(result: Promise<Done> | undefined): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { bytes, failure } = (await result) ?? {}
  if (bytes && bytes.length > 0) yield bytes
  if (failure) throw failure
}
