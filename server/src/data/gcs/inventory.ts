import * as Type from 'typebox'
import { Value } from 'typebox/value'
import { StoreUnavailableError } from '../backend/backend.ts'
import type { Inventory } from '../backend/inventory.ts'
import { groupByKey, type ListedObject } from '../backend/group-by-key.ts'
import { checkKey } from '../backend/key.ts'
import { withRetries, type RetryPolicy } from '../network/retry-policy.ts'
import type { PartStore } from '../network/parts/part-store.ts'
import { expectStatus, parseJsonResponse } from '../network/store-error.ts'
import type { GcsCalls } from './calls.ts'

/** Finishing a file composes its parts into one object, so parts that remain belong to no finished file. */
const grouping = { hasManifests: false }

/** The objects of a bucket, which Google lists consistently. Sessions of resumable uploads are not listed. */
export function gcsInventory(
  calls: GcsCalls,
  { prefix, retryPolicy, parts }: GcsInventoryOptions,
): Inventory {
  async function* objects(begin: string): AsyncGenerator<ListedObject, void> {
    for (let page: string | undefined = ''; page !== undefined;) {
      const wanted: string = page
      const listing = await withRetries(async () => {
        const response = await calls.listWithSizes(prefix + begin, wanted)
        return pageOf(await expectStatus('a listing', response, 200))
      }, retryPolicy)
      for (const { name, size, updated } of listing.items ?? [])
        yield { name: name.slice(prefix.length), size: Number(size), modifiedAt: Date.parse(updated) }
      page = listing.nextPageToken
    }
  }
  return {
    list: () => groupByKey(objects(''), grouping),
    async inspect(key) {
      checkKey(key)
      for await (const stored of groupByKey(objects(key), grouping)) {
        if (stored.key === key) return stored
        // In the order of names, the objects of `key` come before those of longer keys.
        break
      }
      return null
    },
    async removeUnfinished(key) {
      checkKey(key)
      await parts.remove(await parts.list(`${key}/`, '', retryPolicy), retryPolicy)
    },
  }
}

interface GcsInventoryOptions {
  /** Before the name of every object. */
  readonly prefix: string
  readonly retryPolicy: RetryPolicy
  readonly parts: Pick<PartStore, 'list' | 'remove'>
}

const Page = Type.Object({
  items: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), size: Type.String(), updated: Type.String() })),
  ),
  nextPageToken: Type.Optional(Type.String()),
})

function pageOf(json: string): Type.Static<typeof Page> {
  const page = parseJsonResponse('a listing', json)
  if (!Value.Check(Page, page)) throw new StoreUnavailableError('a listing of the bucket cannot be read')
  return page
}
