/**
 * Waits between attempts: some milliseconds, or until the browser is online again.
 * @throws the signal's reason
 */
export const waitUntilOnline = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const over = new AbortController()
    const end = (settle: () => void) => {
      clearTimeout(timer)
      over.abort()
      settle()
    }
    const abort = () => end(() => reject(signal?.reason as Error))
    const timer = setTimeout(() => end(resolve), ms)
    addEventListener('online', () => end(resolve), { signal: over.signal })
    signal?.addEventListener('abort', abort, { signal: over.signal })
    if (signal?.aborted) abort()
  })
