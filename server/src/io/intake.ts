import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { blockLine } from './block-line.ts'
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

/** The source was closed before its end, without an error. */
export class SourceClosedError extends Error {
  override readonly name = 'SourceClosedError'
}

/** The body was given up before its end. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError'
}

/** Enough for every file signature that is looked for. */
const headSize = 4_100

/** A first chunk up to this size is kept as it is: most small bodies come in one piece, and need no copy. */
const maxKeptChunk = 64 * 1024

/**
 * The one way for bytes into the service: counts, limits and hashes a body while it is stored.
 * It owns every way in which a body can end, but never destroys the source.
 */
export function takeIn(source: Readable, { maxSize, tooBig, hashers, signal }: IntakeOptions): Intake {
  const head = Promise.withResolvers<Uint8Array>()
  const digests = Promise.withResolvers<Digests>()
  // Failures reach whoever asks; nobody has to ask for all of the three.
  head.promise.catch(ignore)
  digests.promise.catch(ignore)

  let size = 0
  let headKnown = false
  /** The only chunk so far. */
  let first: Uint8Array | undefined

  const line = blockLine({
    hashers,
    onBlock: () => {
      reader.wake()
    },
    onRoom: () => source.resume(),
    onFailure: (error) => {
      fail(error)
    },
  })
  const reader = handOver({
    next: () => line.next(),
    onDone: () => {
      signal.removeEventListener('abort', onAbort)
    },
    onStop: () => {
      fail(new AbandonedError('the body was not read to its end'))
    },
  })

  const settleHead = (bytes: Uint8Array) => {
    headKnown = true
    // A copy: the block that holds the bytes will be filled again.
    head.resolve(new Uint8Array(bytes.subarray(0, headSize)))
  }
  const detach = () => {
    source.off('data', onData).off('end', onEnd).off('error', fail).off('close', onClose)
  }
  function fail(error: unknown): void {
    if (!reader.end(error)) return
    detach()
    signal.removeEventListener('abort', onAbort)
    source.pause()
    // A source that fails after this is nobody's concern any more, but must not stop the process.
    if (!source.closed) source.on('error', ignore)
    line.drop()
    head.reject(error)
    digests.reject(error)
  }
  function onAbort(): void {
    fail(signal.reason)
  }
  function onClose(): void {
    fail(new SourceClosedError('the source was closed before its end'))
  }
  function onData(chunk: Uint8Array): void {
    size += chunk.length
    if (maxSize >= 0 && size > maxSize) {
      fail(tooBig())
      return
    }
    if (size === chunk.length && size <= maxKeptChunk) {
      first = chunk
      if (size >= headSize) settleHead(chunk)
      return
    }
    let room = true
    if (first !== undefined) {
      room = line.put(first)
      first = undefined
    }
    if (!headKnown && size >= headSize) settleHead(line.whole() ?? chunk)
    room = line.put(chunk)
    if (!room) source.pause()
  }
  function onEnd(): void {
  }
  throw new Error('draft')
}

function ignore(): void {
  // Deliberately nothing.
}
