import type { Readable } from 'node:stream'
import { blockLine } from './block-line.ts'
import { AbandonedError, bodySource } from './body-source.ts'
import { handOver } from './hand-over.ts'
import type { HasherPool } from './hasher-pool.ts'

export interface Digests {
  /** Lower-case hexadecimal. */
  readonly md5: string
  /** CRC-32 as in zip (IEEE 802.3), unsigned. */
  readonly crc32: number
  /** Bytes. */
  readonly size: number
}

/** A body on its way in. Either its blocks are read to the end, or it is abandoned. */
export interface Intake {
  /** The first bytes: 4,100, or all of a shorter body. Rejects as `blocks` does. */
  readonly head: Promise<Uint8Array>
  /**
   * All bytes from the first on, to be read once; each block is valid until the next is asked for.
   * Rejects with the error of the source, with what `tooBig` makes at the first excess byte, with the reason of
   * the signal, or with SourceClosedError. Whoever stops reading early abandons the body.
   */
  readonly blocks: AsyncIterable<Uint8Array>
  /** The digests of all bytes, once they were read. Rejects as `blocks` does. */
  readonly digests: () => Promise<Digests>
  /** Gives the body up: its memory is let go, and its source is left paused to whoever opened it. */
  readonly abandon: () => void
}

export interface IntakeOptions {
  /** Bytes; -1 for no limit. */
  readonly maxSize: number
  readonly tooBig: () => Error
  readonly hashers: HasherPool
  readonly signal: AbortSignal
}

/** Enough for every file signature that is looked for. */
const headSize = 4_100

/**
 * The one way for bytes into the service: counts, limits and hashes a body while it is stored.
 * Chunks of the source are taken over: their memory is let go of as soon as they are copied. The body owns every way in which a body can end, but never destroys the source.
 */
export function takeIn(source: Readable, { maxSize, tooBig, hashers, signal }: IntakeOptions): Intake {
  const head = Promise.withResolvers<Uint8Array>()
  const digests = Promise.withResolvers<Digests>()
  // Failures reach whoever asks; nobody has to ask for all three.
  head.promise.catch(ignore)
  digests.promise.catch(ignore)
  const headBytes = new Uint8Array(headSize)
  let headLength = 0
  let size = 0
  let over = false

  const line = blockLine({
    hashers,
    onBlock: () => {
      reader.offer()
    },
    onRoom: () => source.resume(),
    onLast: () => {
      reader.finish()
    },
    onFailure: fail,
  })
  const reader = handOver({
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
  function onEnd(): void {
    body.detach()
    head.resolve(headBytes.subarray(0, headLength))
    line.finish().then((hashes) => {
      digests.resolve({ ...hashes, size })
    }, fail)
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
    digests.reject(error)
    reader.fail(error)
  }
  function settle(): void {
    over = true
    body.settle()
  }

  const body = bodySource(source, signal, { onData, onEnd, onFailure: fail })
  body.begin()
  return { head: head.promise, blocks: reader.values, digests: () => digests.promise, abandon }
}

function ignore(): void {
  // Deliberately nothing.
}
