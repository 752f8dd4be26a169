import type { Upload } from '@svc/contract'
import { shallowReactive, watch } from 'vue'
import { api } from '../api/api.ts'

/** The titles of the upload requests that have received some of the uploads, by their ids, as they load. */
export function useRequestTitles(uploads: () => readonly Upload[]): ReadonlyMap<string, string> {
  const titles = shallowReactive(new Map<string, string>())
  const requestedIDs = new Set<string>()
  const load = async (id: string) => {
    try {
      const { title } = await api.uploadRequest(id)
      titles.set(id, title)
    } catch {
      // The row says that the upload was received, without the title.
    }
  }
  watch(
    uploads,
    (shown) => {
      for (const { request } of shown)
        if (request !== undefined && !requestedIDs.has(request)) {
          requestedIDs.add(request)
          void load(request)
        }
    },
    { immediate: true },
  )
  return titles
}
