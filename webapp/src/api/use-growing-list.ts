import type { Page } from '@svc/contract'
import { shallowRef } from 'vue'
import { useAction } from '../base/use-action.ts'
import { useAsyncData } from '../base/use-async-data.ts'

/** The part of a list after a cursor. */
export interface ListStep {
  readonly limit: number
  readonly after?: string
}

/**
 * A list of the server that grows on request. What is shown stays when more cannot be loaded.
 * @param limit number of items that are loaded at a time
 */
export function useGrowingList<Item>(limit: number, ask: (step: ListStep) => Promise<Page<Item>>) {
  const after = shallowRef<string | null>(null)
  const hasMore = shallowRef(false)
  const { busy, failure, run } = useAction()

  async function next(): Promise<readonly Item[]> {
    const page = await ask({ limit, ...(after.value !== null && { after: after.value }) })
    after.value = page.after
    hasMore.value = page.after !== null
    return page.results
  }
  const { state, load } = useAsyncData((): Promise<readonly Item[]> => {
    after.value = null
    return next()
  })
  /** Changes the items that are shown. */
  const edit = (change: (items: readonly Item[]) => readonly Item[]) => {
    if (state.value.kind === 'ready') state.value = { kind: 'ready', value: change(state.value.value) }
  }
  const loadMore = () =>
    run(async () => {
      const more = await next()
      edit((items) => [...items, ...more])
    })
  return { state, hasMore, busy, failure, load, loadMore, edit }
}
