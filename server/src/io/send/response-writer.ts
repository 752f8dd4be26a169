import type { Writable } from 'node:stream'

/** The connection was cut, or sending was aborted, before the last byte was flushed. */
export class SendAborted extends Error {
  override readonly name = 'SendAborted'
  /** Bytes that had been flushed to the socket. */
  readonly flushed: number

  constructor(flushed: number, cause?: unknown) {
    super('the connection was closed before the last byte was sent', { cause })
    this.flushed = flushed
  }
}

/** Writes the bytes of one response, and handles all endings of its connection. One call at a time. */
export interface ResponseWriter {
  /**
   * Writes a chunk. `free` is called when its bytes have been flushed to the socket, and its memory is no longer needed.
   * It is not called after a cut, because the memory may still be in use.
   */
  readonly write: (chunk: Uint8Array, free: () => void) => void
  /** Writes a small chunk. The chunks of one iteration of the event loop are sent together, which wakes the client once. */
  readonly writeBatched: (chunk: Uint8Array, free: () => void) => void
  /**
   * Resolves when at most this many chunks are unflushed.
   * @throws SendAborted
   */
  readonly waitForFlush: (unflushed: number) => Promise<void>
  /**
   * Resolves when the response has ended and all its bytes are flushed.
   * @throws SendAborted
   */
  readonly end: (last: Uint8Array, free: () => void) => Promise<void>
  /**
   * Awaits a promise, unless the connection is cut.
   * @throws SendAborted
   */
  readonly whileOpen: <T>(promise: Promise<T>) => Promise<T>
  /** The number of chunks that are not flushed yet. */
  readonly unflushed: () => number
  /** Removes all listeners, and cuts the connection unless the response has ended. */
  readonly close: () => void
}

export interface ResponseWriterOptions {
  /**
   * Called before the first byte is written. Until then a failure does not cut the connection, and another response can
   * be sent.
   */
  readonly begin?: () => void
  readonly signal?: AbortSignal
  /** Called after each flush with the number of bytes flushed so far. */
  readonly onProgress?: (flushed: number) => void
  /** Cuts the connection; by default closes it. */
  readonly cut?: () => void
}

/** The largest body that waits for the other responses of an event loop iteration. Bytes. */
const maxCoalesced = 16 * 1024

export function responseWriter(
  to: Writable,
  { begin, signal, onProgress, cut: cutConnection = () => to.destroy() }: ResponseWriterOptions,
): ResponseWriter {
  let state: 'open' | 'ended' | 'cut' = 'open'
  let failure: SendAborted | undefined
  let flushed = 0
  let unflushed = 0
  /** Rejects the current wait. */
  let interrupt: ((error: SendAborted) => void) | undefined
  let onFlush: (() => void) | undefined
  const isCut = socketWatch(to)

  const cut = (cause?: unknown) => {
    if (state !== 'open') return
    state = 'cut'
    failure = new SendAborted(flushed, cause)
    interrupt?.(failure)
  }
  const onClose = () => {
    cut()
  }
  const onAbort = () => {
    cut(signal?.reason)
  }
  const wait = <T>(begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => void) =>
    new Promise<T>((resolve, reject) => {
      interrupt = reject
      if (failure === undefined) begin(resolve, reject)
      else reject(failure)
    })
  const countFlushed = (chunk: Uint8Array, free: () => void) => {
    flushed += chunk.length
    free()
    onProgress?.(flushed)
  }

  let hasBegun = begin === undefined
  const beginOnce = () => {
    if (hasBegun) return
    hasBegun = true
    begin?.()
  }

  let isCorked = false
  const uncork = () => {
    if (!isCorked) return
    isCorked = false
    to.uncork()
  }
  const cork = () => {
    if (isCorked) return
    isCorked = true
    to.cork()
    setImmediate(uncork)
  }
  const write = (chunk: Uint8Array, free: () => void) => {
    beginOnce()
    unflushed += 1
    to.write(chunk, (error) => {
      unflushed -= 1
      if (state !== 'open') return
      if (error || isCut()) {
        cut(error ?? undefined)
        return
      }
      countFlushed(chunk, free)
      onFlush?.()
    })
  }

  to.on('close', onClose).on('error', cut)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted === true) onAbort()
  else if (isCut()) cut()

  return {
    write,
    writeBatched(chunk, free) {
      cork()
      write(chunk, free)
    },
    waitForFlush: (maxUnflushed) =>
      wait((resolve: () => void) => {
        onFlush = () => {
          if (unflushed <= maxUnflushed) resolve()
        }
        onFlush()
      }),
    end: (last, free) =>
      wait((resolve: () => void) => {
        beginOnce()
        // Node 24 sends the end of a chunked body before the chunks of a corked response.
        uncork()
        // First listener: another one closes the socket, which must not look like a cut.
        to.prependOnceListener('finish', () => {
          if (state !== 'open') return
          if (isCut()) {
            cut()
            return
          }
          state = 'ended'
          countFlushed(last, free)
          resolve()
        })
        const isSmall = flushed === 0 && unflushed === 0 && last.length <= maxCoalesced
        const endNow = () => {
          if (state !== 'open') return
          if (isCut()) cut()
          else if (last.length === 0) to.end()
          else if (isSmall) to.end(latin1(last), 'latin1')
          else to.end(last)
        }
        // The small responses of an event loop iteration leave together, as in coalesce-responses.ts.
        if (isSmall) setImmediate(endNow)
        else endNow()
      }),
    whileOpen: (promise) => {
      // The promise may reject later, when nothing awaits it any more.
      promise.catch(() => undefined)
      return wait((resolve, reject) => {
        promise.then(resolve, reject)
      })
    },
    unflushed: () => unflushed,
    close() {
      signal?.removeEventListener('abort', onAbort)
      to.off('close', onClose)
      if (state === 'ended' || !hasBegun) {
        to.off('error', cut)
        return
      }
      // The error listener stays, because errors of unsent chunks may follow.
      state = 'cut'
      cutConnection()
    },
  }
}

/** The bytes as text. Node sends it in one chunk with the headers, in which bytes would be a second one. */
const latin1 = ({ buffer, byteOffset, length }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, length).toString('latin1')

/** Detects a closed connection: Node reports its pending writes as if they had succeeded. */
function socketWatch(to: Writable & { readonly socket?: Writable | null }): () => boolean {
  let socket = to.socket
  return () => {
    socket = to.socket ?? socket
    return to.destroyed || socket?.destroyed === true
  }
}
