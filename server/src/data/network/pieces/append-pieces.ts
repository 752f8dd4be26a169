import type { AppendOptions, StoredPart } from '../../backend/backend.ts'
import { TooLargeForStoreError } from '../../backend/backend.ts'
import type { Clock } from '../../../domain/clock.ts'
import { randomText, type Random } from '../../../domain/ids.ts'
import type { Part } from '../gather-parts.ts'
import { hasty, retryPolicy, type RetryPolicy } from '../retry-policy.ts'
import { missing } from '../store-error.ts'
import { writePartsSequentially, type PartSizes } from '../sequential-part-writer.ts'
import { mergeWindow, type MergeRules } from './merge-window.ts'
import { behind, pieceId, readPieces, wordLength, writePieces } from './piece-list.ts'
import { pieceSource } from './piece-source.ts'
import type { NamedPiece, PieceStore } from './piece-store.ts'

export interface PieceOptions {
  readonly store: PieceStore
  /** Bytes of pieces. Those of `most` are counted from the beginning of the file. */
  readonly sizes: PartSizes
  readonly merging: MergeRules
  readonly clock: Clock
  readonly random: Random
  readonly patience?: RetryPolicy
}

/** Milliseconds. So much of what a slow sender has sent is lost at most when the service crashes. */
const oldest = 10_000

/**
 * Appends a source to a file as pieces. Each is told once it is stored, and the next one is gathered meanwhile.
 *
 * Who called may go on from what was told last, or from what this append was given: that it was told of pieces does not
 * mean that they passed a check. So of those that were given, none is removed here. Those that were merged are named in
 * the next stored part, and removed once that comes back.
 */
export async function appendPieces(
  key: string,
  from: StoredPart,
  source: AsyncIterable<Uint8Array>,
  { signal, commit }: AppendOptions,
  options: PieceOptions,
): Promise<StoredPart> {
  signal.throwIfAborted()
  const { sizes, clock } = options
  await prepare(key, from, options)
  signal.throwIfAborted()
  const file = growingFile(key, from, options)
  const write = async (part: Part, either: AbortSignal) => {
    if (part.bytes.length === 0) return
    await file.write(part.bytes, either)
    either.throwIfAborted()
    await commit(file.stored())
    await file.tidy()
  }
  const { chunks, failure } = pieceSource(source, clock, oldest)
  const { most } = sizes
  const pieceSizes = {
    ...sizes,
    isDue: dueAfter(oldest, clock),
    ...(most && { most: (start: number) => most(from.offset + start) }),
  }
  try {
    // What was written stays: the next append begins behind it, or removes it.
    await writePartsSequentially(chunks, signal, pieceSizes, { write, undo: () => Promise.resolve() })
  } catch (error) {
    signal.throwIfAborted()
    throw failure()?.error ?? error
  }
  const failed = failure()
  if (failed !== undefined) throw failed.error
  return file.stored()
}

/** Whether a part has been gathered for so long. */
function dueAfter(ms: number, clock: Clock): (number: number) => boolean {
  let current = 0
  let since = 0
  return (number) => {
    if (number !== current) {
      current = number
      since = clock.now()
    }
    return clock.now() - since >= ms
  }
}

const nameIn = (key: string, id: string) => `${key}/${id}`

/**
 * Removes what an append left that was overtaken or cut, so that nobody can fill the store with bytes that count
 * nowhere, and looks whether the file is still there.
 */
async function prepare(
  key: string,
  from: StoredPart,
  { store, patience = retryPolicy }: PieceOptions,
): Promise<void> {
  const { pieces, superseded } = readPieces(from)
  const last = pieces.at(-1)
  const [isThere, overtaken] = await Promise.all([
    last === undefined || store.exists(nameIn(key, last.id)),
    store.list(nameIn(key, ''), behind(from.offset), patience),
  ])
  if (!isThere) throw missing(key)
  const names = [...overtaken, ...superseded.map((id) => nameIn(key, id))]
  await store.remove(names, hasty).catch(laterThen)
}

interface GrowingFile {
  readonly stored: () => StoredPart
  readonly write: (bytes: Uint8Array, signal: AbortSignal) => Promise<void>
  /** Removes pieces that nobody can go on from any more, now that `stored` is kept. */
  readonly tidy: () => Promise<void>
}

function growingFile(key: string, from: StoredPart, { store, merging, random }: PieceOptions): GrowingFile {
  const pieces = [...readPieces(from).pieces]
  const keptIds = new Set(pieces.map(({ id }) => id))
  let superseded: readonly string[] = []
  let { offset } = from

  const newId = (end: number) => pieceId(end, randomText(random, wordLength))
  const named = ({ id, size }: { id: string; size: number }): NamedPiece => ({ name: nameIn(key, id), size })
  const makeRoom = async (end: number, signal: AbortSignal) => {
    const window = mergeWindow(
      pieces.map(({ size }) => size),
      merging,
    )
    if (window === undefined) {
      if (pieces.length >= merging.limit) throw new TooLargeForStoreError(offset)
      return
    }
    const run = pieces.slice(window.start, window.start + window.count)
    const size = run.reduce((sum, piece) => sum + piece.size, 0)
    const merged = { id: newId(end), size }
    await store.merge(nameIn(key, merged.id), run.map(named), signal)
    pieces.splice(window.start, window.count, merged)
    superseded = [...superseded, ...run.map(({ id }) => id)]
  }
  return {
    stored: () => writePieces({ pieces, superseded }),
    async write(bytes, signal) {
      const end = offset + bytes.length
      await makeRoom(end, signal)
      const id = newId(end)
      await store.write(nameIn(key, id), bytes, signal)
      pieces.push({ id, size: bytes.length })
      offset = end
    },
    async tidy() {
      const gone = superseded.filter((id) => !keptIds.has(id))
      superseded = superseded.filter((id) => keptIds.has(id))
      const names = gone.map((id) => nameIn(key, id))
      await store.remove(names, hasty).catch(laterThen)
    },
  }
}

function laterThen(): void {
  // What cannot be removed now goes when the file is finished or abandoned.
}
