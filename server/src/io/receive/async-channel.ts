/** One side offers values as they come, the other asks for them one by one. */
export interface AsyncChannel<T> {
  /** To be read once. */
  readonly values: AsyncIterable<T>
  /** A value can be taken. */
  readonly offer: () => void
  /** No more values than those that can be taken now. */
  readonly finish: () => void
  /** The reader gets this error instead of more values. Nothing happens when it has got all of them. */
  readonly fail: (error: unknown) => void
}

export interface AsyncChannelOptions<T> {
  /** The next value, if there is one; the reader is done with the one before. After an early end there is none. */
  readonly take: () => T | undefined
  /** The reader is gone: it has all values, or stopped before. */
  readonly onEnd: (how: 'complete' | 'early') => void
}

export function asyncChannel<T>({ take, onEnd }: AsyncChannelOptions<T>): AsyncChannel<T> {
  let state: 'open' | 'finished' | 'failed' | 'over' = 'open'
  let failure: unknown
  let waiting: PromiseWithResolvers<IteratorResult<T>> | undefined

  /** The answer to one question of the reader, or nothing while there is none yet. */
  const answer = (): IteratorResult<T> | undefined => {
    const value = take()
    if (value !== undefined) return { done: false, value }
    if (state === 'open') return undefined
    if (state === 'finished') {
      state = 'over'
      onEnd('complete')
    }
    return { done: true, value: undefined }
  }
  const serve = () => {
    if (waiting === undefined) return
    const result = answer()
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
      const result = answer()
      if (result !== undefined) return result
      waiting = Promise.withResolvers()
      return waiting.promise
    },
    return() {
      if (state === 'open' || state === 'finished') {
        state = 'over'
        onEnd('early')
      }
      // Nothing is left to take, but the value in hand is let go.
      take()
      waiting?.resolve({ done: true, value: undefined })
      waiting = undefined
      return Promise.resolve({ done: true, value: undefined })
    },
  }
  return {
    values: { [Symbol.asyncIterator]: () => iterator },
    offer: serve,
    finish() {
      if (state === 'open') state = 'finished'
      serve()
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
