/** A source that writes into the caller's memory, so that bytes are not copied again. */
export interface FillingSource {
  /**
   * Writes the next bytes to the beginning of `into`: at least one, as many as are available.
   * @returns number of bytes; 0 at the end
   * @throws the errors of the source
   */
  readonly fill: (into: Uint8Array) => Promise<number>
}

/** Bytes in chunks of any size. Reading the next chunk may overwrite the one before. */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | FillingSource

interface Pulled {
  readonly next: () => Promise<Uint8Array | undefined>
  readonly fill?: FillingSource['fill']
  /** Closes the source. `busy` during a `next`. */
  readonly stop: (busy: boolean) => Promise<unknown>
}

// Some browsers cannot iterate over a stream with `for await`, and a reader can be cancelled while it waits.
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
    // A generator ends only after the chunk it waits for, which may never arrive.
    stop: async (busy) => {
      const ended = iterator.return?.()
      if (!busy) await ended
      else void ended?.catch(() => undefined)
    },
  }
}

/** Bytes of a read whose size the caller does not limit. */
const bufferBytes = 64 * 1024

function pullFilling({ fill }: FillingSource): Pulled {
  return {
    next: async () => {
      const piece = new Uint8Array(bufferBytes)
      const filled = await fill(piece)
      return filled === 0 ? undefined : piece.subarray(0, filled)
    },
    fill,
    // The caller that opened a file closes it.
    stop: () => Promise.resolve(),
  }
}

function pulledFrom(source: ByteSource): Pulled {
  if (source instanceof ReadableStream) return pullStream(source)
  return 'fill' in source ? pullFilling(source) : pullIterable(source)
}

/** Reads a source in chunks, and stops at any point on abort. */
export interface ByteReader {
  /**
   * The next bytes, at least one; undefined at the end.
   * @throws the signal's reason
   */
  readonly pull: () => Promise<Uint8Array | undefined>
  /**
   * Writes the next bytes to the beginning of `into`, at least one.
   * @returns their number; 0 at the end
   * @throws like `pull`
   */
  readonly fill: (into: Uint8Array) => Promise<number>
  /** Returns bytes to the reader: the next `pull` has them. */
  readonly unread: (bytes: Uint8Array) => void
  readonly stop: () => Promise<void>
}

/** @param signal ends every wait */
export function readFrom(source: ByteSource, signal?: AbortSignal): ByteReader {
  const stopped = new AbortController()
  const either = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal
  const { next, fill, stop } = pulledFrom(source)
  let busy = false

  const unlessStopped = async <T>(work: () => Promise<T>): Promise<T> => {
    either.throwIfAborted()
    busy = true
    try {
      return await orAborted(work(), either)
    } finally {
      busy = either.aborted
    }
  }

  return peekable({
    next: () => unlessStopped(next),
    ...(fill && { fill: (into: Uint8Array) => unlessStopped(() => fill(into)) }),
    stop: async () => {
      stopped.abort()
      await stop(busy)
    },
  })
}

interface Unpeekable {
  readonly next: () => Promise<Uint8Array | undefined>
  /** Without it, pulled bytes are copied. */
  readonly fill?: FillingSource['fill']
  readonly stop: () => Promise<void>
}

/** Returns pushed-back bytes first, and skips empty chunks. */
export function peekable({ next, fill, stop }: Unpeekable): ByteReader {
  const returned: Uint8Array[] = []
  const pull = async () => {
    for (;;) {
      const chunk = returned.pop() ?? (await next())
      if (chunk === undefined || chunk.length > 0) return chunk
    }
  }
  return {
    pull,
    fill: async (into) => {
      if (fill && returned.length === 0) return fill(into)
      const piece = (await pull()) ?? new Uint8Array()
      into.set(piece.subarray(0, into.length))
      if (piece.length > into.length) returned.push(piece.subarray(into.length))
      return Math.min(piece.length, into.length)
    },
    unread: (bytes) => {
      returned.push(bytes)
    },
    stop,
  }
}

/** The result of a promise, or the signal's reason as soon as the signal is aborted. */
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
