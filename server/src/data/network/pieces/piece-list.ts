import { StoreUnavailableError, type StoredPart } from '../../backend/backend.ts'

/** An object of a store that holds bytes of an unfinished file. */
export interface Piece {
  /** Unique among all pieces of a file, whatever became of them. */
  readonly id: string
  /** Bytes; at least one. */
  readonly size: number
}

/** What is known of an unfinished file. */
export interface PieceList {
  /** In the order of their bytes, which are the whole file so far. */
  readonly pieces: readonly Piece[]
  /** Ids of pieces whose bytes are in others now. Once this list is kept, nobody will ask for them again. */
  readonly superseded: readonly string[]
}

/** Characters of chance in an id: pieces of appends that overtook each other never get one name. */
export const wordLength = 8

/** With its separator a piece takes 25 characters at most, and mostly 15: together less than a session's 32 KiB. */
export const mostPieces = 1000
const mostSuperseded = 400

const written = (offset: number) => String(offset).padStart(16, '0')

/**
 * The id of a piece that is in the store when the file has so many bytes. No piece that a stored part knows has more
 * in its id than the part's offset, and no piece that was written after it, by an append that was overtaken, has less
 * or as many.
 */
export const pieceId = (offset: number, word: string) => `${written(offset)}-${word}`

/** Comes after the ids of all pieces that a stored part with this offset may know, and before all others. */
export const behind = (offset: number) => `${written(offset)}~`

const offsetIn = (id: string) => Number(id.slice(0, 16))
const wordIn = (id: string) => id.slice(17)

/** The pieces as text, which names an offset only where it is not the end of the piece. */
export function writePieces({ pieces, superseded }: PieceList): StoredPart {
  let offset = 0
  const told = pieces.map(({ id, size }) => {
    offset += size
    const at = offsetIn(id)
    return `${wordIn(id)}${size.toString(36)}${at === offset ? '' : `.${at.toString(36)}`}`
  })
  // Those that are left out go when the file is finished or abandoned.
  const gone = superseded.slice(-mostSuperseded).map((id) => `${wordIn(id)}${offsetIn(id).toString(36)}`)
  return { offset, session: `1;${told.join()};${gone.join()}` }
}

/** @throws StoreUnavailableError when the text is none of ours */
export function readPieces(stored: StoredPart): PieceList {
  if (stored.offset === 0 && stored.session === '') return { pieces: [], superseded: [] }
  const [version, told = '', gone = ''] = stored.session.split(';')
  let offset = 0
  const pieces = entries(told).map(([, word = '', digits = '', at]) => {
    const size = parseInt(digits, 36)
    offset += size
    return { id: pieceId(at === undefined ? offset : parseInt(at, 36), word), size }
  })
  const superseded = entries(gone).map(([, word = '', at = '']) => pieceId(parseInt(at, 36), word))
  if (version !== '1' || offset !== stored.offset)
    throw new StoreUnavailableError('what was kept of an unfinished file cannot be read')
  return { pieces, superseded }
}

const entry = /^([0-9A-Za-z]{8})([0-9a-z]+)(?:\.([0-9a-z]+))?$/

function entries(text: string): readonly (readonly (string | undefined)[])[] {
  if (text === '') return []
  return text.split(',').map((part) => {
    const found = entry.exec(part)
    if (found === null) throw new StoreUnavailableError('what was kept of an unfinished file cannot be read')
    return found
  })
}
