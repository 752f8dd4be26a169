import type { PieceMemory } from './piece-memory.ts'

/** Consecutive bytes of a file, held until the store has them: what breaks can be sent again. */
export interface Piece {
  /** In order; all but the last are full. */
  readonly pages: readonly Uint8Array[]
  /** Where it begins in the file. Bytes, as all sizes here. */
  readonly start: number
  readonly size: number
  /** The file ends with it. Only a file of no bytes has a piece of none. */
  readonly isLast: boolean
  /** The store has it: its memory may be used again. */
  readonly stored: () => void
  /** It is not wanted any more, but its memory may still be in use, by a request that was cut. */
  readonly dropped: () => void
}

export interface PieceSizes {
  readonly memory: PieceMemory
  /** Most bytes of a piece. */
  readonly most: number
  /** Least bytes of a piece, other than the last, when memory is short. @param index of the piece, from 0 */
  readonly least: (index: number) => number
}

/**
 * Gathers the chunks of a source into pieces. A piece ends when it is full, or before that, at the end of a page,
 * when memory is short.
 */
export async function* gatherPieces(
  source: AsyncIterable<Uint8Array>,
  { memory, most, least }: PieceSizes,
): AsyncGenerator<Piece, void> {
  let start = 0
  let index = 0
  let size = 0
  let pages: Uint8Array[] = []

  const isEnough = () => {
    if (size >= most) return true
    return size > 0 && size % memory.pageSize === 0 && memory.isShort() && size >= least(index)
  }
  const room = () => {
    const used = size % memory.pageSize
    if (used === 0) pages.push(memory.take())
    return (pages.at(-1) ?? nothing).subarray(used, used + most - size)
  }
  const cutOff = (isLast: boolean): Piece => {
    const held = pages
    const filled = held.map((page, before) => page.subarray(0, size - before * memory.pageSize))
    const piece = {
      ...{ pages: filled, start, size, isLast },
      stored: once(() => {
        memory.give(held)
      }),
      dropped: once(() => {
        memory.forfeit(held)
      }),
    }
    start += size
    index += 1
    size = 0
    pages = []
    return piece
  }

  try {
    for await (const chunk of source) {
      for (let offset = 0; offset < chunk.length;) {
        // Only now, when more has come: so the last piece is known as such.
        if (isEnough()) yield cutOff(false)
        const place = room()
        const part = chunk.subarray(offset, offset + place.length)
        place.set(part)
        size += part.length
        offset += part.length
      }
    }
    yield cutOff(true)
  } finally {
    memory.forfeit(pages)
  }
}

const nothing = new Uint8Array()

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}
