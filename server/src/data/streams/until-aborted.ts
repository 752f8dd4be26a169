import { ignore } from '../../domain/ignore.ts'

/**
 * The same chunks, until the signal is aborted, even while the source is pending.
 * @throws the reason of the signal
 */
export async function* untilAborted(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = source[Symbol.asyncIterator]()
  let interrupt: ((reason: unknown) => void) | undefined
  const onAbort = () => interrupt?.(signal.reason)
  // Not Promise.race, which would retain every chunk in memory until the end.
  const next = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      interrupt = reject
      chunks.next().then(resolve, reject)
    })
  signal.addEventListener('abort', onAbort)
  let over = false
  try {
    for (;;) {
      signal.throwIfAborted()
      const result = await next()
      if (result.done === true) {
        over = true
        return
      }
      yield result.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Not awaited, because a source that hangs would block the caller.
    if (!over) Promise.resolve(chunks.return?.()).catch(ignore)
  }
}
