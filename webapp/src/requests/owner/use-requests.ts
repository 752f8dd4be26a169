import type { UploadRequest } from '@svc/contract'
import { ApiError } from '@svc/sdk'
import { shallowRef } from 'vue'
import { useSession } from '../../account/use-session.ts'
import { api } from '../../api/api.ts'
import { useAsyncData } from '../../base/use-async-data.ts'
import type { OwnRequest } from '../store/own-request.ts'
import { useOwnRequests } from '../store/own-requests.ts'

/** A request in the list; `request` is undefined if the server no longer has it. */
export interface ListedRequest {
  readonly id: string
  readonly title: string
  readonly createdAt: string
  readonly request: UploadRequest | undefined
}

/** Number of requests of an account that are loaded at a time. */
const step = 50

async function ofGuest({ id, title, createdAt, requestToken }: OwnRequest): Promise<ListedRequest> {
  try {
    return { id, title, createdAt, request: await api.uploadRequest(id, { requestToken }) }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { id, title, createdAt, request: undefined }
    throw error
  }
}

/** The requests of the account; those of a guest are those that this browser has made. */
export function useRequests() {
  const { loadUser } = useSession()
  const own = useOwnRequests()
  const cursor = shallowRef<string | null>(null)
  const hasMore = shallowRef(false)

  async function page(after: string | null): Promise<ListedRequest[]> {
    const list = await api.uploadRequests({ limit: step, ...(after !== null && { after }) })
    cursor.value = list.after
    hasMore.value = list.after !== null
    return list.results.map((request) => ({ ...request, request }))
  }
  const { state, load } = useAsyncData(async (): Promise<readonly ListedRequest[]> => {
    if (await loadUser()) return page(null)
    hasMore.value = false
    return Promise.all(own.of(undefined).value.map(ofGuest))
  })
  const loadMore = async () => {
    if (state.value.kind !== 'ready') return
    const { value } = state.value
    try {
      state.value = { kind: 'ready', value: [...value, ...(await page(cursor.value))] }
    } catch (error) {
      state.value = { kind: 'failed', error }
    }
  }
  /** Takes a request that has ended off the list of this browser, with its key. */
  const forget = async (id: string) => {
    own.remove(id)
    await load()
  }
  return { state, load, hasMore, loadMore, forget }
}
