import type { PartShare } from './part-buffer-pool.ts'

/** A piece of a file. Whoever gets it gives its memory back. */
export interface Part {
  readonly bytes: Uint8Array
  /** Counted from 1. */
  readonly number: number
  /** Where it begins in the file, in bytes. */
  readonly start: number
  /** No other comes after it. */
  readonly last: boolean
  /** Its memory can be used for another part. */
  readonly give: () => void
  /** Its memory may still be in use, such as by a connection that was cut. */
  readonly forfeit: () => void
}

export interface GatherOptions {
  /** Bytes of each part but the last, unless its memory is smaller. */
  readonly size: number
  readonly share: PartShare
  /** Memory for the part of a number. Smaller than a part, it has room for a small file at least. */
  readonly take: (number: number, start: number) => Promise<Uint8Array<ArrayBuffer>>
  /** Whether the part of a number has been gathered for long enough, asked after each chunk, even an empty one. */
  readonly isDue?: (number: number) => boolean
}

/** Bytes. A file up to this size has memory of its own: small files never wait for the others' parts. */
const ownSize = 128 * 1024

/** Gathers chunks of any size into parts: at least one, which may be empty. */
export async function* gatherParts(
  source: AsyncIterable<Uint8Array>,
  { size, share, take, isDue = () => false }: GatherOptions,
): AsyncGenerator<Part, void, undefined> {
  let memory: Uint8Array = new Uint8Array()
  let pooled: Uint8Array<ArrayBuffer> | undefined
  let filled = 0
  let number = 1
  let start = 0

  const part = (last: boolean): Part => {
    const of = pooled
    pooled = undefined
    return {
      bytes: memory.subarray(0, filled),
      number,
      start,
      last,
      give: () => {
        if (of !== undefined) share.give(of)
      },
      forfeit: () => {
        if (of !== undefined) share.forfeit(of)
      },
    }
  }
  const ownMemory = (chunk: Uint8Array) =>
    new Uint8Array(number === 1 && filled === 0 ? chunk.length : ownSize)
  const capacity = () => pooled?.length ?? size
  const goOn = () => {
    number += 1
    start += filled
    filled = 0
    memory = new Uint8Array()
  }
  /** Room for a chunk, with what was gathered so far in front. */
  const widen = async (chunk: Uint8Array) => {
    const gathered = memory.subarray(0, filled)
    if (number === 1 && filled + chunk.length <= Math.min(ownSize, size)) memory = ownMemory(chunk)
    else memory = pooled = await take(number, start)
    memory.set(gathered)
  }

  try {
    for await (const chunk of source) {
      let offset = 0
      while (offset < chunk.length) {
        if (filled === capacity()) {
          yield part(false)
          goOn()
        }
        const rest = chunk.subarray(offset)
        if (memory.length < capacity() && filled + rest.length > memory.length) await widen(rest)
        const count = Math.min(rest.length, capacity() - filled)
        memory.set(rest.subarray(0, count), filled)
        filled += count
        offset += count
      }
      if (filled > 0 && isDue(number)) {
        yield part(false)
        goOn()
      }
    }
    yield part(true)
  } finally {
    if (pooled !== undefined) share.give(pooled)
  }
}
