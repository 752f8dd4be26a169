import type { Clock } from '../../../domain/clock.ts'

const nothing = new Uint8Array()

/** A source that yields an empty chunk in each interval without data. */
export interface SourceWithIdleChunks {
  readonly chunks: AsyncIterable<Uint8Array>
  /** The error of the source, if it failed. */
  readonly failure: () => { readonly error: unknown } | undefined
}

/**
 * The chunks of a source, and an empty chunk for each interval without data, so that the bytes gathered before can be
 * stored. A source that fails ends instead, for the same reason.
 * @param interval milliseconds
 */
export function withIdleChunks(
  source: AsyncIterable<Uint8Array>,
  clock: Clock,
  interval: number,
): SourceWithIdleChunks {
  let failure: { readonly error: unknown } | undefined

  const begin = (): AsyncIterator<Uint8Array> => {
    const chunks = source[Symbol.asyncIterator]()
    let coming: Promise<IteratorResult<Uint8Array>> | undefined
    let wake: (() => void) | undefined
    const stop = clock.every(interval, () => wake?.())
    const next = () =>
      chunks.next().catch((error: unknown): IteratorResult<Uint8Array> => {
        failure = { error }
        return { done: true, value: undefined }
      })
    return {
      async next() {
        const awaited = (coming ??= next())
        const result = await new Promise<IteratorResult<Uint8Array> | undefined>((resolve) => {
          wake = () => {
            resolve(undefined)
          }
          void awaited.then(resolve)
        })
        if (result === undefined) return { done: false, value: nothing }
        coming = undefined
        if (result.done === true) stop()
        return result
      },
      // Immediately, even while the source is pending: the `return` of a generator would wait for it.
      async return() {
        stop()
        await chunks.return?.()
        return { done: true, value: undefined }
      },
    }
  }
  return { chunks: { [Symbol.asyncIterator]: begin }, failure: () => failure }
}
