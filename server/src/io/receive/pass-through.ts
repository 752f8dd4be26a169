import type { Readable } from 'node:stream'
import { AbandonedError, bodySource } from './body-source.ts'
import { asyncChannel } from './async-channel.ts'

/** A body that goes through without being kept. Either its chunks are read to the end, or it is abandoned. */
export interface PassThroughBody {
  /**
   * The first bytes: as many as were asked for, all of a shorter body, or what there was when it was hurried.
   * Rejects as `chunks` does.
   */
  readonly head: Promise<Uint8Array>
  /** Settles for a shorter head, if there are at least so many bytes of it. */
  readonly hurry: (least: number) => void
  /**
   * All bytes from the first on, to be read once; each chunk belongs to the reader. Rejects with the error of the
   * source, of `onBytes` or of `complete`, with the reason of the signal, or with SourceClosedError.
   */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Bytes that have come so far. */
  readonly size: () => number
  /** Gives the body up; its source is left paused to whoever opened it. */
  readonly abandon: () => void
}

export interface PassThroughOptions {
  /** Bytes of the head. */
  readonly headSize: number
  /** Looks at the number of bytes that have come, before the last of them are handed on. Throws to refuse them. */
  readonly onBytes: (size: number) => void
  /** Awaited between the end of the source and the end of the chunks. */
  readonly complete: () => Promise<void>
  /** Told of a failure before anybody else, unless the body was given up. */
  readonly onFailure: (error: unknown) => void
  readonly signal: AbortSignal
}

/** Bytes that may wait for the reader: enough to receive while something is sent, and little for a slow one. */
const waitingBytes = 256 * 1024

/** Takes chunks as they come, in the memory they came in: nothing is copied. Never destroys the source. */
export function passThrough(
  source: Readable,
  { headSize, onBytes, complete, onFailure, signal }: PassThroughOptions,
): PassThroughBody {
  const head = Promise.withResolvers<Uint8Array>()
  head.promise.catch(ignore)
  const queue: Buffer[] = []
  let waiting = 0
  let size = 0
  let headDone = false
  let over = false

  const reader = asyncChannel<Uint8Array>({
    take() {
      const chunk = queue.shift()
      if (chunk === undefined) return undefined
      waiting -= chunk.length
      if (!over && source.isPaused() && waiting < waitingBytes) source.resume()
      return chunk
    },
    onEnd(how) {
      if (how === 'early') abandon()
      settle()
    },
  })

  const showHead = () => {
    if (headDone) return
    headDone = true
    head.resolve(Buffer.concat(queue).subarray(0, headSize))
  }
  function onData(chunk: Buffer): void {
    size += chunk.length
    try {
      onBytes(size)
    } catch (error) {
      fail(error)
      return
    }
    queue.push(chunk)
    waiting += chunk.length
    if (waiting >= waitingBytes) source.pause()
    // Until somebody has seen the head, nobody takes a chunk: the queue has all bytes from the first on.
    if (size >= headSize) showHead()
    reader.offer()
  }
  function onEnd(): void {
    body.detach()
    complete().then(() => {
      showHead()
      reader.finish()
    }, fail)
  }
  function abandon(): void {
    end(new AbandonedError('the body was given up before its end'))
  }
  function fail(error: unknown): void {
    if (over) return
    onFailure(error)
    end(error)
  }
  function end(error: unknown): void {
    if (over) return
    settle()
    body.detach()
    source.pause()
    queue.length = 0
    head.reject(error)
    reader.fail(error)
  }
  function settle(): void {
    over = true
    body.settle()
  }

  const body = bodySource(source, signal, { onData, onEnd, onFailure: fail })
  body.begin()
  return {
    head: head.promise,
    hurry: (least) => {
      if (size >= least && size > 0) showHead()
    },
    chunks: reader.values,
    size: () => size,
    abandon,
  }
}

function ignore(): void {
  // Deliberately nothing.
}
