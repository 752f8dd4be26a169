/** The whole content of a small source, or the chunks of a large one. */
export type SmallOrLarge =
  | { readonly small: Uint8Array }
  /** The reader must read these to the end, or call `return` as `for await` does, to release the source. */
  | { readonly chunks: AsyncIterable<Uint8Array> }

/**
 * Checks whether a source has only one small chunk. Of other sources, at most two chunks are read ahead.
 * @param most the size up to which a source is small, in bytes
 */
export async function smallOrLarge(
  source: AsyncGenerator<Uint8Array, void, undefined>,
  most: number,
): Promise<SmallOrLarge> {
  const first = await source.next()
  if (first.done === true) return { small: new Uint8Array(0) }
  if (first.value.length > most) return { chunks: before(first.value, source) }
  // A copy, because the source reuses the memory for the next chunk.
  const chunk = new Uint8Array(first.value)
  const second = await source.next()
  if (second.done === true) return { small: chunk }
  return { chunks: before(chunk, before(second.value, source)) }
}

async function* before(
  chunk: Uint8Array,
  others: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield chunk
    yield* others
  } finally {
    await others.return()
  }
}
