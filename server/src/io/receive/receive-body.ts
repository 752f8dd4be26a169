import type { Readable } from 'node:stream'
import { blockQueue } from './block-queue.ts'
import { AbandonedError, bodySource } from './body-source.ts'
import { wholeHashes, type BodyDigest } from '../hash/body-digest.ts'
import type { BoundedBufferPool } from '../bounded-buffer-pool.ts'
import { asyncChannel } from './async-channel.ts'
import type { HasherPool } from '../hash/hasher-pool.ts'

export interface Digests {
  /** Lower-case hexadecimal. */
  readonly md5: string
  /** CRC-32 as in zip (IEEE 802.3), unsigned. */
  readonly crc32: number
  /** Bytes. */
  readonly size: number
}

/** A body on its way in. Either its blocks are read to the end, or it is abandoned. */
interface Reading {
  /** The first bytes: 4,100, or all of a shorter body. Rejects as `blocks` does. */
  readonly head: Promise<Uint8Array>
  /**
   * All bytes from the first on, to be read once; each block is valid until the next is asked for.
   * Rejects with the error of the source, with what `tooBig` makes at the first excess byte, with the reason of
   * the signal, or with SourceClosedError. Whoever stops reading early abandons the body.
   */
  readonly blocks: AsyncIterable<Uint8Array>
  /** Gives the body up: its memory is let go, and its source is left paused to whoever opened it. */
  readonly abandon: () => void
}

/** A body that is the whole of a file. */
export interface ReceivedBody extends Reading {
  /** The digests of all bytes, once they were read. Rejects as `blocks` does. */
  readonly digests: () => Promise<Digests>
}

/** A body that is a piece of a file: where it breaks off, its blocks end with what came until then. */
export interface ReceivedPart extends Reading {
  /** Once all blocks were read: the bytes that came, and why no more did, if the body broke off. */
  readonly end: () => Promise<{ readonly size: number; readonly brokenBy: unknown }>
}

export interface ReceivePartOptions {
  /** Bytes that may come; -1 for no limit. */
  readonly room: number
  readonly excess: () => Error
  readonly pool: BoundedBufferPool
  readonly sum: BodyDigest<null>
  readonly signal: AbortSignal
}

export interface ReceiveBodyOptions {
  /** Bytes; -1 for no limit. */
  readonly maxSize: number
  readonly tooBig: () => Error
  readonly hashers: HasherPool
  readonly signal: AbortSignal
}

/** Enough for every file signature that is looked for. */
const headSize = 4_100

/**
 * The one way for whole files into the service: counts, limits and hashes a body while it is stored.
 * Chunks of the source are taken over: their memory is let go of as soon as they are copied. The body owns every way
 * in which a body can end, but never destroys the source.
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

/** The same for a piece of a file. */
export function receivePart(
  source: Readable,
  { room, excess, pool, sum, signal }: ReceivePartOptions,
): ReceivedPart {
  const { read, ended } = readBody(source, {
    maxSize: room,
    tooBig: excess,
    pool,
    sum,
    signal,
    onBreak: 'end',
  })
  return { ...read, end: () => ended }
}

interface ReadingOptions<Sum> {
  readonly maxSize: number
  readonly tooBig: () => Error
  readonly pool: BoundedBufferPool
  readonly sum: BodyDigest<Sum>
  readonly signal: AbortSignal
  /** What a source does to the blocks that breaks off. */
  readonly onBreak: 'fail' | 'end'
}

interface Ended<Sum> {
  readonly sum: Sum
  readonly size: number
  readonly brokenBy: unknown
}

function readBody<Sum>(
  source: Readable,
  { maxSize, tooBig, pool, sum, signal, onBreak }: ReadingOptions<Sum>,
): { readonly read: Reading; readonly ended: Promise<Ended<Sum>> } {
  const head = Promise.withResolvers<Uint8Array>()
  const ended = Promise.withResolvers<Ended<Sum>>()
  // Failures reach whoever asks; nobody has to ask for all three.
  head.promise.catch(ignore)
  ended.promise.catch(ignore)
  const headBytes = new Uint8Array(headSize)
  let headLength = 0
  let size = 0
  let complete = false
  let over = false

  const line = blockQueue({
    pool,
    sum,
    onBlock: () => {
      reader.offer()
    },
    onRoom: () => source.resume(),
    onLast: () => {
      reader.finish()
    },
    onFailure: fail,
  })
  const reader = asyncChannel({
    take: line.next,
    onEnd(how) {
      if (how === 'early') abandon()
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
    if (!line.put(chunk)) source.pause()
  }
  function onEnd(brokenBy?: unknown): void {
    complete = true
    body.detach()
    head.resolve(headBytes.subarray(0, headLength))
    line.finish().then((result) => {
      ended.resolve({ sum: result, size, brokenBy })
    }, fail)
  }
  function onFailure(error: unknown): void {
    if (onBreak === 'fail') {
      fail(error)
      return
    }
    if (complete || over) return
    source.pause()
    onEnd(error)
  }
  function abandon(): void {
    fail(new AbandonedError('the body was given up before its end'))
  }

  /** Every failure ends here, whichever comes first; what comes later is too late. */
  function fail(error: unknown): void {
    if (over) return
    settle()
    body.detach()
    source.pause()
    line.drop()
    head.reject(error)
    ended.reject(error)
    reader.fail(error)
  }
  function settle(): void {
    over = true
    body.settle()
  }

  const body = bodySource(source, signal, {
    onData,
    onEnd: () => {
      onEnd()
    },
    onFailure,
  })
  body.begin()
  return { read: { head: head.promise, blocks: reader.values, abandon }, ended: ended.promise }
}

function ignore(): void {
  // Deliberately nothing.
}
