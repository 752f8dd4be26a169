/** A source that was begun: all of it where it is small, its chunks where it is not. */
export type Begun =
  | { readonly small: Uint8Array }
  /** Whoever takes these must take them to their end or leave them as `for await` does, to let go of the source. */
  | { readonly chunks: AsyncIterable<Uint8Array> }

/**
 * Finds out whether a source has more than one small chunk. Others are asked for their first chunk alone.
 * @param most bytes that are small
 */
export async function smallOrLarge(
  source: AsyncGenerator<Uint8Array, void, undefined>,
  most: number,
): Promise<Begun> {
  const first = await source.next()
  if (first.done === true) return { small: new Uint8Array(0) }
  if (first.value.length > most) return { chunks: before(first.value, source) }
  // Its memory is another's as soon as the next is asked for.
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
