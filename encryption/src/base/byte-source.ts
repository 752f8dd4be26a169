/** Bytes that come to where they are wanted, and are copied no more: those of a file, say. */
export interface FillingSource {
  /**
   * Writes the next bytes to the beginning of `into`, at least one, as many as are at hand.
   * @returns how many bytes; 0 at the end
   * @throws the errors of the source
   */
  readonly fill: (into: Uint8Array) => Promise<number>
}

/** Bytes in chunks of any size, each of which may be overwritten when the next is asked for; or wherever they are wanted. */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | FillingSource

interface Pulled {
  readonly next: () => Promise<Uint8Array | undefined>
  readonly fill?: FillingSource['fill']
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

/** Bytes of a read without a given size. */
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

/** A source that is read a chunk at a time, and that stops on abort at any point. */
export interface ByteReader {
  /** Some more bytes, at least one; undefined at the end. @throws the signal's reason */
  readonly pull: () => Promise<Uint8Array | undefined>
  /** Writes some more bytes to the beginning of `into`, at least one. @returns how many; 0 at the end @throws like `pull` */
  readonly fill: (into: Uint8Array) => Promise<number>
  /** Gives bytes back: the next to be pulled. */
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
  /** Where it is missing, what is pulled is copied. */
  readonly fill?: FillingSource['fill']
  readonly stop: () => Promise<void>
}

/** Lets bytes be given back, and leaves out empty chunks. */
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
