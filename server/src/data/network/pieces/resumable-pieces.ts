import type { ResumableWrites, StoredPart } from '../../backend/backend.ts'
import { randomText } from '../../../domain/ids.ts'
import { checkKey } from '../../backend/key.ts'
import { retryPolicy } from '../retry-policy.ts'
import { appendPieces, type PieceOptions } from './append-pieces.ts'
import { pieceId, readPieces, wordLength, writePieces, type PieceList } from './piece-list.ts'

/**
 * Files in pieces, for stores whose objects can only be written whole: each piece is an object, and the stored part
 * lists them. No two pieces ever have one name: whatever a connection that was cut still brings to the store, it changes
 * nothing that anyone has kept.
 */
export function resumablePieces(options: PieceOptions): ResumableWrites {
  const { store, random, patience = retryPolicy } = options
  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- refusals are rejections, as in every backend
    async begin(key) {
      checkKey(key)
      return writePieces({ pieces: [], superseded: [] })
    },
    async append(key, from, source, appending) {
      checkKey(key)
      return appendPieces(key, from, source, appending, options)
    },
    async finish(key, stored) {
      checkKey(key)
      const { pieces, superseded } = readPieces(stored)
      const nameOf = (id: string) => `${key}/${id}`
      const newName = () => nameOf(pieceId(stored.offset, randomText(random, wordLength)))
      const named = pieces.map(({ id, size }) => ({ name: nameOf(id), size }))
      const stay = new Set(await store.publish(key, named, newName))
      // By the list as well: that of the store may be late.
      const listed = await store.list(nameOf(''), '', patience)
      const known = [...named.map(({ name }) => name), ...superseded.map(nameOf)]
      const names = new Set([...listed, ...known].filter((name) => !stay.has(name)))
      await store.remove([...names], patience)
    },
    async abandon(key, stored) {
      checkKey(key)
      const { pieces, superseded } = readable(stored)
      const ids = [...pieces.map(({ id }) => id), ...superseded]
      await store.removeAll(key)
      await store.remove(
        ids.map((id) => `${key}/${id}`),
        patience,
      )
    },
  }
}

/** What cannot be read shall not keep anything from being removed: the store's own list has it, too. */
function readable(stored: StoredPart): PieceList {
  try {
    return readPieces(stored)
  } catch {
    return { pieces: [], superseded: [] }
  }
}
