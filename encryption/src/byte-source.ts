/** Bytes in chunks of any size. Each may be overwritten when the next is asked for. */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

interface Pulled {
  readonly next: () => Promise<Uint8Array | undefined>
  /** Lets go of the source. `busy` while a `next` is under way. */
  readonly stop: (busy: boolean) => Promise<unknown>
}

// Not every browser lets `for await` run over a stream, and a reader can be cancelled while it waits.
function pullStream(stream: ReadableStream<Uint8Array>): Pulled {
  const reader = stream.getReader()
  return {
    next: async () => (await reader.read()).value,
    stop: () => reader.cancel(),
  }
}

function pullIterable(iterable: AsyncIterable<Uint8Array>): Pulled {
  const iterator = iterable[Symbol.asyncIterator]()
  return {
    next: async () => {
      const result = await iterator.next()
      return result.done === true ? undefined : result.value
    },
    // A generator ends only after the chunk it is waiting for, which may never come.
    stop: async (busy) => {
      const ended = iterator.return?.()
      if (!busy) await ended
      else void ended?.catch(() => undefined)
    },
  }
}

/** A source that is read a chunk at a time, and that gives up when it is told to, whatever it waits for. */
export interface ByteReader {
  /** Some more bytes, at least one; undefined at the end. @throws the signal's reason */
  readonly pull: () => Promise<Uint8Array | undefined>
  /** Gives bytes back: the next to be pulled. */
  readonly unread: (bytes: Uint8Array) => void
  readonly stop: () => Promise<void>
}

/** @param signal ends every wait */
export function readFrom(source: ByteSource, signal?: AbortSignal): ByteReader {
  const stopped = new AbortController()
  const either = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal
  const pulled = source instanceof ReadableStream ? pullStream(source) : pullIterable(source)
  let busy = false

  const nextChunk = async (): Promise<Uint8Array | undefined> => {
    either.throwIfAborted()
    busy = true
    try {
      return await orAborted(pulled.next(), either)
    } finally {
      busy = either.aborted
    }
  }

  return peekable(nextChunk, async () => {
    stopped.abort()
    await pulled.stop(busy)
  })
}

/** Lets bytes be given back, and leaves out empty chunks. */
export function peekable(next: () => Promise<Uint8Array | undefined>, stop: () => Promise<void>): ByteReader {
  const returned: Uint8Array[] = []
  return {
    pull: async () => {
      for (;;) {
        const chunk = returned.pop() ?? (await next())
        if (chunk === undefined || chunk.length > 0) return chunk
      }
    },
    unread: (bytes) => {
      returned.push(bytes)
    },
    stop,
  }
}

/** The result of some work, or the signal's reason as soon as it is aborted. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const abort = () => {
    reject(signal.reason)
  }
  signal.addEventListener('abort', abort, { once: true })
  const done = () => {
    signal.removeEventListener('abort', abort)
  }
  work.then(resolve, reject).finally(done)
  return promise
}
