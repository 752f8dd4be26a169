import type { UploadRequest } from '@svc/contract'
import { ApiError } from '@svc/sdk'
import { useSession } from '../../account/use-session.ts'
import { api } from '../../api/api.ts'
import { useGrowingList } from '../../api/use-growing-list.ts'
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
  const list = useGrowingList<ListedRequest>(step, async (next) => {
    if (await loadUser()) {
      const page = await api.uploadRequests(next)
      return { ...page, results: page.results.map((request) => ({ ...request, request })) }
    }
    const results = await Promise.all(own.visibleTo(undefined).value.map(ofGuest))
    return { results, total: results.length, after: null, before: null }
  })
  /** Removes a request that has ended, and its key, from the list of this browser. */
  const forget = async (id: string) => {
    own.remove(id)
    await list.load()
  }
  return { ...list, forget }
}
