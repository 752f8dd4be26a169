import * as Type from 'typebox'
import { Value } from 'typebox/value'
import { StoreUnavailableError } from '../backend/backend.ts'
import pLimit from 'p-limit'
import { persist, type RetryPolicy } from '../network/retry-policy.ts'
import type { NamedPiece, PieceStore } from '../network/pieces/piece-store.ts'
import { expectStatus, jsonOf, missing, statusOf } from '../network/store-error.ts'
import type { GcsCalls } from './calls.ts'
import { makeObject, removeObject, sizeIn, WrongSizeError } from './upload.ts'

/** Objects that Google makes one of, at most. */
export const mostComposed = 32

const never = new AbortController().signal
const nothing = new Uint8Array()

/**
 * Pieces of unfinished files are objects beside the key, which Google composes without moving a byte. Not the session
 * of a resumable upload: what it has cannot be replaced, though an append may have to be taken back, it takes only
 * multiples of 256 KiB before the last byte, and it ends after a week.
 */
export function gcsPieces(calls: GcsCalls, prefix: string, patience: RetryPolicy): PieceStore {
  const compose = async (name: string, pieces: readonly NamedPiece[], signal: AbortSignal) => {
    const names = pieces.map((piece) => prefix + piece.name)
    const wanted = { calls, name: prefix + name, size: sizeOf(pieces), patience, signal }
    try {
      await makeObject(wanted, () => calls.compose(wanted.name, names, signal))
    } catch (error) {
      throw statusOf(error) === 404 ? missing(name) : error
    }
  }
  const list = async (begin: string, after: string, waiting: RetryPolicy) => {
    const names: string[] = []
    for (let page: string | undefined = ''; page !== undefined;) {
      const wanted: string = page
      const listing = await persist(
        async () => pageOf(await calls.list(prefix + begin, prefix + begin + after, wanted)),
        waiting,
      )
      names.push(...(listing.items ?? []).map(({ name }) => name.slice(prefix.length)))
      page = listing.nextPageToken
    }
    return names
  }
  const remove = async (names: readonly string[], waiting: RetryPolicy) => {
    const limit = pLimit(8)
    await Promise.all(names.map((name) => limit(() => removeObject(calls, prefix + name, waiting))))
  }
  /** Whether a file is there already, as it shall be. */
  const isPublished = (key: string, size: number) =>
    persist(async () => {
      const answer = await calls.describe(prefix + key)
      const said = await expectStatus('an object', answer, 200, 404)
      if (answer.status === 404) return false
      if (sizeIn(said) !== size) throw new WrongSizeError(`the store has another object under ${key}`)
      return true
    }, patience)

  return {
    write: (name, bytes, signal) => {
      const wanted = { calls, name: prefix + name, size: bytes.length, patience, signal }
      return makeObject(wanted, () => calls.insert(wanted.name, bytes, signal))
    },
    merge: compose,
    exists: (name) =>
      persist(async () => {
        const answer = await calls.describe(prefix + name)
        await expectStatus('an object', answer, 200, 404)
        return answer.status === 200
      }, patience),
    list,
    remove,
    async publish(key, pieces, newName) {
      const size = sizeOf(pieces)
      if (await isPublished(key, size)) return []
      if (pieces.length === 0) {
        const wanted = { calls, name: prefix + key, size, patience, signal: never }
        await makeObject(wanted, () => calls.insert(wanted.name, nothing, never))
        return []
      }
      let left = pieces
      while (left.length > mostComposed) left = await composeEach(left, newName, compose)
      await compose(key, left, never)
      return []
    },
    async removeAll(key) {
      await removeObject(calls, prefix + key, patience)
      await remove(await list(`${key}/`, '', patience), patience)
    },
  }
}

const sizeOf = (pieces: readonly NamedPiece[]) => pieces.reduce((sum, { size }) => sum + size, 0)

/** One object of each so many that may be composed. */
async function composeEach(
  pieces: readonly NamedPiece[],
  newName: () => string,
  compose: PieceStore['merge'],
): Promise<readonly NamedPiece[]> {
  const composed: NamedPiece[] = []
  for (let start = 0; start < pieces.length; start += mostComposed) {
    const some = pieces.slice(start, start + mostComposed)
    const whole = { name: newName(), size: sizeOf(some) }
    await compose(whole.name, some, never)
    composed.push(whole)
  }
  return composed
}

const Page = Type.Object({
  items: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
  nextPageToken: Type.Optional(Type.String()),
})

async function pageOf(answer: Parameters<typeof expectStatus>[1]): Promise<Type.Static<typeof Page>> {
  const page = jsonOf('a listing', await expectStatus('a listing', answer, 200))
  if (!Value.Check(Page, page)) throw new StoreUnavailableError('a listing of the bucket cannot be read')
  return page
}
