import type { Page } from '@svc/contract'
import { ref, shallowRef } from 'vue'

export type ListingState<Item> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'ready'; readonly page: Page<Item> }

export interface ListingOptions<Query, Item> {
  readonly load: (query: Query) => Promise<Page<Item>>
  /** Owner of the listing, which is not shown to other users. */
  readonly owner: () => string | undefined
}

/**
 * One page of a listing at a time. The shown page stays until the next one has loaded. Of several requested pages the last
 * one counts, regardless of the order of the responses.
 */
export function createListing<Query, Item>({ load, owner }: ListingOptions<Query, Item>) {
  const state = shallowRef<ListingState<Item>>({ kind: 'loading' })
  /** Whether the shown page is not the last requested one. */
  const busy = ref(false)
  let latest = 0
  let shownTo: string | undefined

  const show = async (query: Query): Promise<void> => {
    const current = (latest += 1)
    if (shownTo !== owner()) state.value = { kind: 'loading' }
    shownTo = owner()
    busy.value = true
    const next = await load(query).then(
      (page): ListingState<Item> => ({ kind: 'ready', page }),
      (error: unknown): ListingState<Item> => ({ kind: 'failed', error }),
    )
    if (current !== latest) return
    state.value = next
    busy.value = false
  }
  return { state, busy, show }
}

export type Listing<Query, Item> = ReturnType<typeof createListing<Query, Item>>
