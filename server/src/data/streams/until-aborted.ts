/**
 * The same chunks, cut short as soon as the signal is aborted, even while the source keeps one waiting.
 * @throws the reason of the signal
 */
export async function* untilAborted(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = source[Symbol.asyncIterator]()
  let interrupt: ((reason: unknown) => void) | undefined
  const onAbort = () => interrupt?.(signal.reason)
  // Not Promise.race: it would keep a trace of every chunk in memory until the end.
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
    // Not awaited: a source that hangs would keep us from cleaning up.
    if (!over) Promise.resolve(chunks.return?.()).catch(ignore)
  }
}

function ignore(): void {
  // The source is given up; how it takes that is its own affair.
}
