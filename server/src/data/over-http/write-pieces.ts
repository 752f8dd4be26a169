import { gatherPieces, type Piece, type PieceSizes } from './pieces.ts'
import { untilAborted } from '../until-aborted.ts'

/** Brings the pieces of one file to a store, one after the other. */
export interface PieceWriter {
  /** Resolves when the store has the piece; after the last one, when the file can be read. */
  readonly write: (piece: Piece, signal: AbortSignal) => Promise<void>
  /** Removes all that was written. */
  readonly undo: () => Promise<void>
}

/**
 * Writes all bytes of a source: the next piece is gathered while one is on its way. When it fails, what was written
 * is undone; the store may be away then, and what cannot be removed now goes with its key later.
 * @throws the first error: that of the source, of the writer, or the reason of the signal
 */
export async function writePieces(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  sizes: PieceSizes,
  writer: PieceWriter,
): Promise<void> {
  signal.throwIfAborted()
  const failure = new AbortController()
  const either = AbortSignal.any([signal, failure.signal])
  let writing: Promise<unknown> = Promise.resolve()

  const write = async (piece: Piece) => {
    try {
      await writer.write(piece, either)
      piece.stored()
    } catch (error) {
      piece.dropped()
      // The source need not be waited for.
      failure.abort(error)
      throw error
    }
  }
  try {
    for await (const piece of gatherPieces(untilAborted(source, either), sizes)) {
      await settled(writing)
      if (either.aborted) piece.dropped()
      either.throwIfAborted()
      writing = write(piece)
      writing.catch(ignore)
    }
    await writing
    signal.throwIfAborted()
  } catch (error) {
    failure.abort(error)
    await settled(writing)
    await settled(writer.undo())
    throw error
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(ignore)
}

function ignore(): void {
  // Told by the signal, or not worth more than the first error.
}
