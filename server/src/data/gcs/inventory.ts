import * as Type from 'typebox'
import { Value } from 'typebox/value'
import { StoreUnavailableError } from '../backend/backend.ts'
import type { Inventory } from '../backend/inventory.ts'
import { gatherKeys, type ListedObject } from '../backend/gather-keys.ts'
import { checkKey } from '../backend/key.ts'
import { persist, type RetryPolicy } from '../network/retry-policy.ts'
import type { PieceStore } from '../network/pieces/piece-store.ts'
import { expectStatus, jsonOf } from '../network/store-error.ts'
import type { GcsCalls } from './calls.ts'

/** Pieces are copied into a file when it is finished, so those that stay belong to no file. */
const naming = { wholeOfParts: false }

/** The objects of a bucket, which Google lists without delay. Sessions of resumable uploads are in no listing. */
export function gcsInventory(calls: GcsCalls, { prefix, patience, pieces }: GcsInventoryOptions): Inventory {
  async function* objects(begin: string): AsyncGenerator<ListedObject, void> {
    for (let page: string | undefined = ''; page !== undefined;) {
      const wanted: string = page
      const listing = await persist(async () => {
        const answer = await calls.listWithSizes(prefix + begin, wanted)
        return pageOf(await expectStatus('a listing', answer, 200))
      }, patience)
      for (const { name, size, updated } of listing.items ?? [])
        yield { name: name.slice(prefix.length), size: Number(size), modifiedAt: Date.parse(updated) }
      page = listing.nextPageToken
    }
  }
  return {
    list: () => gatherKeys(objects(''), naming),
    async inspect(key) {
      checkKey(key)
      for await (const stored of gatherKeys(objects(key), naming)) {
        if (stored.key === key) return stored
        // In the order of names: nothing of the key comes after another one that it begins.
        break
      }
      return null
    },
    async removeUnfinished(key) {
      checkKey(key)
      await pieces.remove(await pieces.list(`${key}/`, '', patience), patience)
    },
  }
}

interface GcsInventoryOptions {
  /** Before the name of every object. */
  readonly prefix: string
  readonly patience: RetryPolicy
  readonly pieces: Pick<PieceStore, 'list' | 'remove'>
}

const Page = Type.Object({
  items: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), size: Type.String(), updated: Type.String() })),
  ),
  nextPageToken: Type.Optional(Type.String()),
})

function pageOf(json: string): Type.Static<typeof Page> {
  const page = jsonOf('a listing', json)
  if (!Value.Check(Page, page)) throw new StoreUnavailableError('a listing of the bucket cannot be read')
  return page
}
