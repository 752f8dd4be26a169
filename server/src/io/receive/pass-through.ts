import type { Readable } from 'node:stream'
import { CancelledError, bodySource } from './body-source.ts'
import { asyncChannel } from './async-channel.ts'
import { ignore } from '../../domain/ignore.ts'

/** A body that is forwarded without being stored. Its chunks must be read to the end, or it must be cancelled. */
export interface PassThroughBody {
  /**
   * The first bytes: `headSize` bytes, all of a shorter body, or the bytes at a call of `resolveHead`. Rejects as
   * `chunks` does.
   */
  readonly head: Promise<Uint8Array>
  /**
   * Resolves `head` with the bytes so far, if there are at least `min`.
   * @returns whether this call has resolved it
   */
  readonly resolveHead: (min: number) => boolean
  /**
   * All bytes from the first one, to be read once, after `head`; the reader owns each chunk. Rejects with the error of
   * the source, of `checkSize` or of `complete`, with the reason of the signal, or with SourceClosedError.
   */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Bytes received so far. */
  readonly size: () => number
  /** Cancels the body; its source stays paused, and the caller has to close it. */
  readonly cancel: () => void
}

export interface PassThroughOptions {
  /** Size of the head in bytes. */
  readonly headSize: number
  /** Checks the number of received bytes, before their last chunk is forwarded. Throws to refuse it. */
  readonly checkSize: (size: number) => void
  /** Awaited between the end of the source and the end of the chunks. */
  readonly complete: () => Promise<void>
  /** Called first on a failure, unless the body was cancelled. */
  readonly onFailure: (error: unknown) => void
  readonly signal: AbortSignal
}

/** The maximum of bytes that wait for the reader: enough to receive and send at the same time. */
const waitingBytes = 256 * 1024

/** Forwards chunks without copying them. Never destroys the source. */
export function passThrough(
  source: Readable,
  { headSize, checkSize, complete, onFailure, signal }: PassThroughOptions,
): PassThroughBody {
  const head = Promise.withResolvers<Uint8Array>()
  head.promise.catch(ignore)
  const queue: Buffer[] = []
  let waiting = 0
  let size = 0
  let headDone = false
  let isOver = false

  const reader = asyncChannel<Uint8Array>({
    take() {
      const chunk = queue.shift()
      if (chunk === undefined) return undefined
      waiting -= chunk.length
      if (!isOver && source.isPaused() && waiting < waitingBytes) source.resume()
      return chunk
    },
    onEnd(how) {
      if (how === 'early') cancel()
      settle()
    },
  })

  const resolveFirstBytes = () => {
    if (headDone) return
    headDone = true
    head.resolve(Buffer.concat(queue).subarray(0, headSize))
  }
  function onData(chunk: Buffer): void {
    size += chunk.length
    try {
      checkSize(size)
    } catch (error) {
      fail(error)
      return
    }
    queue.push(chunk)
    waiting += chunk.length
    if (waiting >= waitingBytes) source.pause()
    // Chunks are read only after the head, so the queue has all bytes from the first one.
    if (size >= headSize) resolveFirstBytes()
    reader.offer()
  }
  function onEnd(): void {
    body.detach()
    complete().then(() => {
      resolveFirstBytes()
      reader.finish()
    }, fail)
  }
  function cancel(): void {
    end(new CancelledError('the body was cancelled before its end'))
  }
  function fail(error: unknown): void {
    if (isOver) return
    onFailure(error)
    end(error)
  }
  function end(error: unknown): void {
    if (isOver) return
    settle()
    body.detach()
    source.pause()
    queue.length = 0
    head.reject(error)
    reader.fail(error)
  }
  function settle(): void {
    isOver = true
    body.settle()
  }

  const body = bodySource(source, signal, { onData, onEnd, onFailure: fail })
  body.begin()
  return {
    head: head.promise,
    resolveHead: (min) => {
      if (headDone || size < min || size === 0) return false
      resolveFirstBytes()
      return true
    },
    chunks: reader.values,
    size: () => size,
    cancel,
  }
}
