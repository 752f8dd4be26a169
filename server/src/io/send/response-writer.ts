import type { Writable } from 'node:stream'

/** The connection was cut, or the sending was called off, before the last byte was flushed. */
export class SendAborted extends Error {
  override readonly name = 'SendAborted'
  /** Bytes that had been flushed to the socket. */
  readonly flushed: number

  constructor(flushed: number, cause?: unknown) {
    super('the connection was closed before the last byte was sent', { cause })
    this.flushed = flushed
  }
}

/** The way out of one response's bytes. It owns every way in which a connection can end. One call at a time. */
export interface ResponseWriter {
  /**
   * Hands a piece over. `free` is called when its bytes have been flushed to the socket and its memory is no longer
   * needed; after a cut it is not, since the memory may still be in use.
   */
  readonly write: (piece: Uint8Array, free: () => void) => void
  /** The same for small pieces: those of one turn of the event loop go out together, and wake the client once. */
  readonly writeTogether: (piece: Uint8Array, free: () => void) => void
  /** Resolves when at most so many pieces are unflushed. @throws SendAborted */
  readonly drained: (unflushed: number) => Promise<void>
  /** Resolves when the response has ended and all its bytes are flushed. @throws SendAborted */
  readonly end: (last: Uint8Array, free: () => void) => Promise<void>
  /** The same promise, given up when the connection is cut. @throws SendAborted */
  readonly whileOpen: <T>(promise: Promise<T>) => Promise<T>
  /** Pieces that are not flushed yet. */
  readonly unflushed: () => number
  /** Lets go of the connection, and cuts it unless the response has ended. */
  readonly close: () => void
}

export interface ResponseWriterOptions {
  /** Called before the first byte is handed over. Until then nothing has been answered, and nothing is cut: something else can be. */
  readonly begin?: () => void
  readonly signal?: AbortSignal
  /** Told after each flush: bytes flushed so far. */
  readonly onProgress?: (flushed: number) => void
  /** How a connection is cut; closed unless told otherwise. */
  readonly cut?: () => void
}

export function responseWriter(
  to: Writable,
  { begin, signal, onProgress, cut: cutOff = () => to.destroy() }: ResponseWriterOptions,
): ResponseWriter {
  let state: 'open' | 'ended' | 'cut' = 'open'
  let failure: SendAborted | undefined
  let flushed = 0
  let unflushed = 0
  /** Ends the current wait. */
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
  const countFlushed = (piece: Uint8Array, free: () => void) => {
    flushed += piece.length
    free()
    onProgress?.(flushed)
  }

  let isBegun = begin === undefined
  const beginOnce = () => {
    if (isBegun) return
    isBegun = true
    begin?.()
  }

  let gathers = false
  const letOut = () => {
    if (!gathers) return
    gathers = false
    to.uncork()
  }
  const gather = () => {
    if (gathers) return
    gathers = true
    to.cork()
    setImmediate(letOut)
  }
  const write = (piece: Uint8Array, free: () => void) => {
    beginOnce()
    unflushed += 1
    to.write(piece, (error) => {
      unflushed -= 1
      if (state !== 'open') return
      if (error || isCut()) {
        cut(error ?? undefined)
        return
      }
      countFlushed(piece, free)
      onFlush?.()
    })
  }

  to.on('close', onClose).on('error', cut)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted === true) onAbort()
  else if (isCut()) cut()

  return {
    write,
    writeTogether(piece, free) {
      gather()
      write(piece, free)
    },
    drained: (bearable) =>
      wait((resolve: () => void) => {
        onFlush = () => {
          if (unflushed <= bearable) resolve()
        }
        onFlush()
      }),
    end: (last, free) =>
      wait((resolve: () => void) => {
        beginOnce()
        // Node 24 sends the end of a chunked body before the chunks that a corked response holds.
        letOut()
        // First in line: another listener closes the socket, and that must not look like a cut.
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
        if (last.length > 0) to.end(last)
        else to.end()
      }),
    whileOpen: (promise) => {
      // What nobody waits for any more may still fail.
      promise.catch(() => undefined)
      return wait((resolve, reject) => {
        promise.then(resolve, reject)
      })
    },
    unflushed: () => unflushed,
    close() {
      signal?.removeEventListener('abort', onAbort)
      to.off('close', onClose)
      if (state === 'ended' || !isBegun) {
        to.off('error', cut)
        return
      }
      // The listener for errors stays: those of pieces that can no longer be sent may come after this.
      state = 'cut'
      cutOff()
    },
  }
}

/** Tells whether a connection is gone: the writes that were waiting then are reported as if they had succeeded. */
function socketWatch(to: Writable & { readonly socket?: Writable | null }): () => boolean {
  let socket = to.socket
  return () => {
    socket = to.socket ?? socket
    return to.destroyed || socket?.destroyed === true
  }
}
