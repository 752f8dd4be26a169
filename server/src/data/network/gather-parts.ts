import type { UploadBuffers } from './part-buffer-pool.ts'

/** A part of a file, in memory that the receiver must release or discard. */
export interface Part {
  readonly bytes: Uint8Array
  /** Counted from 1. */
  readonly number: number
  /** Where it begins in the file, in bytes. */
  readonly start: number
  /** Whether it is the last part. */
  readonly last: boolean
  /** Returns its memory to the pool. */
  readonly release: () => void
  /** Gives its memory to the garbage collector, because an aborted request may still read it. */
  readonly discard: () => void
}

export interface GatherOptions {
  /** Bytes of each part but the last, unless its memory is smaller. */
  readonly size: number
  readonly buffers: UploadBuffers
  /** Memory for the part with this number. It may be smaller than a part, but not than `smallFileSize`. */
  readonly acquire: (number: number, start: number) => Promise<Uint8Array<ArrayBuffer>>
  /** Whether the part with this number must end; called after each chunk, even an empty one. */
  readonly isDue?: (number: number) => boolean
}

/** Bytes. Files up to this size do not use the pool, so that they never wait for other uploads. */
const smallFileSize = 128 * 1024

/** Gathers chunks of any size into parts: at least one, which may be empty. */
export async function* gatherParts(
  source: AsyncIterable<Uint8Array>,
  { size, buffers, acquire, isDue = () => false }: GatherOptions,
): AsyncGenerator<Part, void, undefined> {
  let memory: Uint8Array = new Uint8Array()
  let pooled: Uint8Array<ArrayBuffer> | undefined
  let filled = 0
  let number = 1
  let start = 0

  const part = (last: boolean): Part => {
    const buffer = pooled
    pooled = undefined
    return {
      bytes: memory.subarray(0, filled),
      number,
      start,
      last,
      release: () => {
        if (buffer !== undefined) buffers.release(buffer)
      },
      discard: () => {
        if (buffer !== undefined) buffers.discard(buffer)
      },
    }
  }
  const ownMemory = (chunk: Uint8Array) =>
    new Uint8Array(number === 1 && filled === 0 ? chunk.length : smallFileSize)
  const capacity = () => pooled?.length ?? size
  const startNextPart = () => {
    number += 1
    start += filled
    filled = 0
    memory = new Uint8Array()
  }
  /** Gets memory for a chunk after the bytes gathered so far. */
  const growMemory = async (chunk: Uint8Array) => {
    const gathered = memory.subarray(0, filled)
    if (number === 1 && filled + chunk.length <= Math.min(smallFileSize, size)) memory = ownMemory(chunk)
    else memory = pooled = await acquire(number, start)
    memory.set(gathered)
  }

  try {
    for await (const chunk of source) {
      let offset = 0
      while (offset < chunk.length) {
        if (filled === capacity()) {
          yield part(false)
          startNextPart()
        }
        const rest = chunk.subarray(offset)
        if (memory.length < capacity() && filled + rest.length > memory.length) await growMemory(rest)
        const count = Math.min(rest.length, capacity() - filled)
        memory.set(rest.subarray(0, count), filled)
        filled += count
        offset += count
      }
      if (filled > 0 && isDue(number)) {
        yield part(false)
        startNextPart()
      }
    }
    yield part(true)
  } finally {
    if (pooled !== undefined) buffers.release(pooled)
  }
}
