/** A channel between a producer that offers values and a consumer that reads them one by one. */
export interface AsyncChannel<T> {
  /** The values, to be read once. */
  readonly values: AsyncIterable<T>
  /** Signals that a value is available. */
  readonly offer: () => void
  /** Signals that no more values follow. */
  readonly finish: () => void
  /** Makes the reader throw this error instead of reading more values. Does nothing after the last value. */
  readonly fail: (error: unknown) => void
}

export interface AsyncChannelOptions<T> {
  /** The next value, if available; the reader no longer uses the previous one. After an early end there is none. */
  readonly take: () => T | undefined
  /** Called when the reader has read all values, or stopped early. */
  readonly onEnd: (how: 'complete' | 'early') => void
}

export function asyncChannel<T>({ take, onEnd }: AsyncChannelOptions<T>): AsyncChannel<T> {
  let state: 'open' | 'finished' | 'failed' | 'over' = 'open'
  let failure: unknown
  let waiting: PromiseWithResolvers<IteratorResult<T>> | undefined

  /** The result for the reader; undefined while none is available. */
  const nextResult = (): IteratorResult<T> | undefined => {
    const value = take()
    if (value !== undefined) return { done: false, value }
    if (state === 'open') return undefined
    if (state === 'finished') {
      state = 'over'
      onEnd('complete')
    }
    return { done: true, value: undefined }
  }
  const resolveWaiting = () => {
    if (waiting === undefined) return
    const result = nextResult()
    if (result === undefined) return
    waiting.resolve(result)
    waiting = undefined
  }
  const iterator: AsyncIterator<T> = {
    async next() {
      if (state === 'failed') {
        take()
        state = 'over'
        throw failure
      }
      const result = nextResult()
      if (result !== undefined) return result
      waiting = Promise.withResolvers()
      return waiting.promise
    },
    return() {
      if (state === 'open' || state === 'finished') {
        state = 'over'
        onEnd('early')
      }
      // No value is left; this releases the current one.
      take()
      waiting?.resolve({ done: true, value: undefined })
      waiting = undefined
      return Promise.resolve({ done: true, value: undefined })
    },
  }
  return {
    values: { [Symbol.asyncIterator]: () => iterator },
    offer: resolveWaiting,
    finish() {
      if (state === 'open') state = 'finished'
      resolveWaiting()
    },
    fail(error) {
      if (state !== 'open' && state !== 'finished') return
      state = 'failed'
      failure = error
      if (waiting === undefined) return
      state = 'over'
      waiting.reject(error)
      waiting = undefined
    },
  }
}
