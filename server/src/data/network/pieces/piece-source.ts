import type { Clock } from '../../../domain/clock.ts'

const nothing = new Uint8Array()

/** A source as an append wants it. */
export interface PieceSource {
  readonly chunks: AsyncIterable<Uint8Array>
  /** What the source failed with, if it did. */
  readonly failure: () => { readonly error: unknown } | undefined
}

/**
 * The chunks of a source, and an empty one at each interval in which it keeps one waiting: then what was gathered
 * before can be stored. A source that fails ends, for the same reason.
 * @param interval milliseconds
 */
export function pieceSource(source: AsyncIterable<Uint8Array>, clock: Clock, interval: number): PieceSource {
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
      // At once, whatever the source is doing: a generator's own `return` would wait for it.
      async return() {
        stop()
        await chunks.return?.()
        return { done: true, value: undefined }
      },
    }
  }
  return { chunks: { [Symbol.asyncIterator]: begin }, failure: () => failure }
}
