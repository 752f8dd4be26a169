import { StoreUnavailableError } from '../backend/backend.ts'
import type { StreamedBody } from '../network/client.ts'
import { persist, type RetryPolicy } from '../network/retry-policy.ts'
import type { NamedPiece, PieceStore } from '../network/pieces/piece-store.ts'
import { expectStatus, missing } from '../network/store-error.ts'
import { readText } from '../network/client.ts'
import type { SwiftCalls } from './calls.ts'
import { readObject } from './read.ts'
import { listings, removeAll, removeObjects } from './upload.ts'

const never = new AbortController().signal
const nothing = new Uint8Array()

/** Pieces of unfinished files are objects beside the key, and become the segments of a static large object. */
export function swiftPieces(calls: SwiftCalls, container: string, patience: RetryPolicy): PieceStore {
  const put = async (name: string, body: Uint8Array | StreamedBody, signal: AbortSignal) => {
    await persist(
      async () => expectStatus('an object', await calls.put(name, body, signal), 201),
      patience,
      signal,
    )
  }
  return {
    write: put,
    /**
     * Through us: Swift itself would make one object of a large one by a copy, but Ceph's gateway copies the list of
     * segments only. Nothing is held in memory.
     */
    async merge(name, pieces, signal) {
      const length = sizeOf(pieces)
      await put(name, { length, chunks: () => chunksOf(calls, pieces, patience) }, signal)
    },
    exists: (name) =>
      persist(async () => {
        const answer = await calls.describe(name)
        await expectStatus('an object', answer, 200, 206, 416, 404)
        return answer.status !== 404
      }, patience),
    async list(prefix, after, waiting) {
      const names: string[] = []
      for await (const some of listings(calls, prefix, prefix + after, waiting)) names.push(...some)
      return names
    },
    remove: (names, waiting) => removeObjects(calls, names, waiting),
    async publish(key, pieces) {
      if (pieces.length === 0) await put(key, nothing, never)
      else await persist(() => putManifest(calls, key, manifestOf(container, pieces)), patience)
      return pieces.map(({ name }) => name)
    },
    removeAll: (key) => removeAll(calls, key, patience),
  }
}

const sizeOf = (pieces: readonly NamedPiece[]) => pieces.reduce((sum, { size }) => sum + size, 0)

/** Their names are never used twice, so nothing but their sizes needs to be compared. */
const manifestOf = (container: string, pieces: readonly NamedPiece[]) =>
  JSON.stringify(pieces.map(({ name, size }) => ({ path: `/${container}/${name}`, size_bytes: size })))

/** What was made before is made again, of the same segments. */
async function putManifest(calls: SwiftCalls, key: string, manifest: string): Promise<void> {
  const answer = await calls.putManifest(key, manifest)
  if (answer.status === 404) {
    answer.cut()
    throw missing(key)
  }
  if (answer.status !== 400) {
    await expectStatus('a large object', answer, 201)
    return
  }
  const said = await readText(answer, 10_000)
  // Swift names each segment that it does not like, with its reason.
  if (said.includes('404 Not Found')) throw missing(key)
  throw new StoreUnavailableError(`a large object: the store answered 400 ${said.slice(0, 500)}`)
}

async function* chunksOf(
  calls: SwiftCalls,
  pieces: readonly NamedPiece[],
  patience: RetryPolicy,
): AsyncGenerator<Uint8Array, void> {
  for (const { name, size } of pieces) {
    let read = 0
    for await (const chunk of await readObject(calls, name, undefined, patience)) {
      read += chunk.length
      yield chunk
    }
    if (read !== size)
      throw new StoreUnavailableError(
        `a piece of ${String(size)} bytes has ${String(read)} bytes in the store`,
      )
  }
}
