import type { Readable } from 'node:stream'
import { blockQueue } from './block-queue.ts'
import { CancelledError, bodySource } from './body-source.ts'
import { wholeHashes, type BodyDigest } from '../hash/body-digest.ts'
import type { BoundedBufferPool } from '../bounded-buffer-pool.ts'
import { watchPauses } from './pause-watch.ts'
import type { Clock } from '../../domain/clock.ts'
import { asyncChannel } from './async-channel.ts'
import type { HasherPool } from '../hash/hasher-pool.ts'
import { ignore } from '../../domain/ignore.ts'

export interface Digests {
  /** Lower-case hexadecimal. */
  readonly md5: string
  /** CRC-32 as in zip (IEEE 802.3), unsigned. */
  readonly crc32: number
  /** Bytes. */
  readonly size: number
}

/** A body that is being received. Its blocks must be read to the end, or it must be cancelled. */
interface IncomingBody {
  /** The first bytes: 4,100, or all of a shorter body. Rejects as `blocks` does. */
  readonly head: Promise<Uint8Array>
  /**
   * All bytes from the first one, to be read once; each block is valid until the next one is read. Rejects with the
   * error of the source, with the error of `tooBig` at the first excess byte, with the reason of the signal, or with
   * SourceClosedError. Stopping early cancels the body.
   */
  readonly blocks: AsyncIterable<Uint8Array>
  /** Cancels the body and releases its memory; its source stays paused, and the caller has to close it. */
  readonly cancel: () => void
}

/** A body that is the whole of a file. */
export interface ReceivedBody extends IncomingBody {
  /** The digests of all bytes, after they were read. Rejects as `blocks` does. */
  readonly digests: () => Promise<Digests>
}

/**
 * A body that is a part of a file. If it fails, its blocks end with the bytes received until then. While the sender
 * pauses, its blocks are the bytes received until then, and an empty block.
 */
export interface ReceivedPart extends IncomingBody {
  /** After all blocks were read: the number of received bytes, and the failure of an incomplete body. */
  readonly end: () => Promise<{ readonly size: number; readonly brokenBy: unknown }>
}

export interface ReceivePartOptions {
  /** Bytes; -1 for no limit. */
  readonly maxSize: number
  readonly tooBig: () => Error
  readonly pool: BoundedBufferPool
  readonly sum: BodyDigest<null>
  readonly signal: AbortSignal
  readonly clock: Clock
}

export interface ReceiveBodyOptions {
  /** Bytes; -1 for no limit. */
  readonly maxSize: number
  readonly tooBig: () => Error
  readonly hashers: HasherPool
  readonly signal: AbortSignal
}

/** Enough for every detected file signature. */
const headSize = 4_100

/**
 * Receives a whole file: counts, limits and hashes its body while it is stored. Takes ownership of the chunks of the source,
 * and releases their memory after copying. Handles all endings of a body, but never destroys the source.
 */
export function receiveBody(
  source: Readable,
  { maxSize, tooBig, hashers, signal }: ReceiveBodyOptions,
): ReceivedBody {
  const { read, ended } = readBody(source, {
    maxSize,
    tooBig,
    pool: hashers.blocks,
    sum: wholeHashes(hashers),
    signal,
    onBreak: 'fail',
  })
  return {
    ...read,
    async digests() {
      const { sum, size } = await ended
      return { ...sum, size }
    },
  }
}

/** Receives a part of a file. */
export function receivePart(
  source: Readable,
  { maxSize, tooBig, pool, sum, signal, clock }: ReceivePartOptions,
): ReceivedPart {
  const { read, ended } = readBody(source, {
    maxSize,
    tooBig,
    pool,
    sum,
    signal,
    onBreak: 'end',
    pauses: clock,
  })
  return { ...read, end: () => ended }
}

interface ReadBodyOptions<Sum> {
  readonly maxSize: number
  readonly tooBig: () => Error
  readonly pool: BoundedBufferPool
  readonly sum: BodyDigest<Sum>
  readonly signal: AbortSignal
  /** The effect of a failed source on the blocks. */
  readonly onBreak: 'fail' | 'end'
  /** Watches for pauses of the source, if given. */
  readonly pauses?: Clock
}

interface EndedBody<Sum> {
  readonly sum: Sum
  readonly size: number
  readonly brokenBy: unknown
}

function readBody<Sum>(
  source: Readable,
  { maxSize, tooBig, pool, sum, signal, onBreak, pauses }: ReadBodyOptions<Sum>,
): { readonly read: IncomingBody; readonly ended: Promise<EndedBody<Sum>> } {
  const head = Promise.withResolvers<Uint8Array>()
  const ended = Promise.withResolvers<EndedBody<Sum>>()
  // Callers may not await all promises, so failures count as handled here.
  head.promise.catch(ignore)
  ended.promise.catch(ignore)
  const headBytes = new Uint8Array(headSize)
  let headLength = 0
  let size = 0
  let complete = false
  let isOver = false

  const queue = blockQueue({
    pool,
    sum,
    onBlock: () => {
      reader.offer()
    },
    onDrain: () => source.resume(),
    onLast: () => {
      reader.finish()
    },
    onFailure: fail,
  })
  const reader = asyncChannel({
    take: queue.next,
    onEnd(how) {
      if (how === 'early') cancel()
      settle()
    },
  })

  function onData(chunk: Buffer): void {
    size += chunk.length
    if (maxSize >= 0 && size > maxSize) {
      fail(tooBig())
      return
    }
    if (headLength < headSize) {
      const part = chunk.subarray(0, headSize - headLength)
      headBytes.set(part, headLength)
      headLength += part.length
      if (headLength === headSize) head.resolve(headBytes)
    }
    if (!queue.put(chunk)) source.pause()
  }
  function onEnd(brokenBy?: unknown): void {
    complete = true
    body.detach()
    head.resolve(headBytes.subarray(0, headLength))
    queue.finish().then((result) => {
      ended.resolve({ sum: result, size, brokenBy })
    }, fail)
  }
  function onFailure(error: unknown): void {
    if (onBreak === 'fail') {
      fail(error)
      return
    }
    if (complete || isOver) return
    source.pause()
    onEnd(error)
  }
  function cancel(): void {
    fail(new CancelledError('the body was cancelled before its end'))
  }

  /** Handles the first failure; later ones are ignored. */
  function fail(error: unknown): void {
    if (isOver) return
    settle()
    body.detach()
    source.pause()
    queue.drop()
    head.reject(error)
    ended.reject(error)
    reader.fail(error)
  }
  function settle(): void {
    isOver = true
    stopWatch?.()
    body.settle()
  }

  const body = bodySource(source, signal, {
    onData,
    onEnd: () => {
      onEnd()
    },
    onFailure,
  })
  const stopWatch = pauses && watchPauses(pauses, () => size, queue.flush)
  body.begin()
  return { read: { head: head.promise, blocks: reader.values, cancel }, ended: ended.promise }
}
