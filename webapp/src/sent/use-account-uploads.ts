import type { Upload } from '@svc/contract'
import { computed, shallowRef } from 'vue'
import { api } from '../api/api.ts'
import { useAction } from '../base/use-action.ts'
import { isRemoved, useRemovals } from './store/removals.ts'

/** Number of uploads of a page of the server's list; a request may have received most of them. */
const pageSize = 100
/** Maximum number of pages that are loaded at a time. */
const maxPages = 5

/** The uploads that an account has sent from any device, newest first, a part at a time. */
export function useAccountUploads() {
  const { busy, failure, run } = useAction()
  const uploads = shallowRef<readonly Upload[]>([])
  /** Where the next page begins; null at the end, undefined before the first page. */
  const after = shallowRef<string | null>()
  /** Another object after each `clear`. */
  let generation: object = {}

  /** Loads some more of them, unless all uploads of the next pages were received by requests. */
  const load = (count: number) =>
    run(async () => {
      const current = generation
      const own: Upload[] = []
      let next = after.value
      for (let page = 0; page < maxPages && own.length < count && next !== null; page += 1) {
        // The first page is what most visitors need.
        const limit = page === 0 && next === undefined ? count : pageSize
        const loaded = await api.myUploads({
          limit,
          sort: 'date',
          order: 'desc',
          ...(next !== undefined && { after: next }),
        })
        own.push(...loaded.results.filter(({ request }) => request === undefined))
        next = loaded.after
      }
      if (current !== generation) return
      uploads.value = [...uploads.value, ...own]
      after.value = next
    })
  useRemovals().onRemoval((removal) => {
    uploads.value = uploads.value.filter((upload) => !isRemoved(removal, upload))
  })
  return {
    uploads,
    busy,
    failure,
    load,
    /** Whether the server may have more. */
    hasMore: computed(() => after.value !== null && after.value !== undefined),
    clear: () => {
      generation = {}
      uploads.value = []
      after.value = undefined
    },
  }
}
