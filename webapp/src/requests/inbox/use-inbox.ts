import { limits, type Upload, type UploadRequest, type UploadRequestUpdate } from '@svc/contract'
import { ApiError, isTransient, type Access } from '@svc/sdk'
import { computed, onScopeDispose, shallowRef } from 'vue'
import { useSession } from '../../account/use-session.ts'
import { api } from '../../api/api.ts'
import { onVisible } from '../../base/browser/on-visible.ts'
import { useOwnRequests } from '../store/own-requests.ts'
import type { ReceivedUpload } from '../received/received.ts'

export type InboxState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'ready'; readonly request: UploadRequest; readonly uploads: readonly ReceivedUpload[] }

/** Polling interval of a request that is shown, in ms. */
const interval = 10_000

/** Uploads that are loaded at a time. */
const step = 50

/** A request with what it has received, for its owner. */
export function useInbox(requestID: string) {
  const state = shallowRef<InboxState>({ kind: 'loading' })
  const { user, loadUser } = useSession()
  const requests = useOwnRequests()
  const own = computed(() => requests.find(requestID, user.value?.id))
  const identity = computed(() => own.value?.key?.identity)
  /** Number of uploads to show. */
  let count = step
  const hasMore = shallowRef(false)
  /** Uploads that the owner has not seen before this page was opened. */
  const newIDs = new Set<string>()
  const names = new Map<string, string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDisposed = false

  const access = (): Access => ({ requestToken: own.value?.requestToken })
  /** Even an empty token directs the request to the service domain, which knows the session, and not to the download domain. */
  const downloadAccess = (): Access => ({ requestToken: own.value?.requestToken ?? '' })

  async function named(upload: Upload): Promise<ReceivedUpload> {
    const key = identity.value
    const { decryptedName, sizeOf } = key === undefined ? {} : await import('./decrypt-names.ts')
    const recipient = own.value?.key?.recipient
    const plainSize = recipient === undefined ? undefined : await sizeOf?.(recipient)
    const files = await Promise.all(
      upload.files.map(async (file) => {
        const known = names.get(file.fileName)
        const name = known ?? (key === undefined ? undefined : await decryptedName?.(file.fileName, key))
        if (name !== undefined) names.set(file.fileName, name)
        return {
          file,
          uploadID: upload.id,
          e2ee: upload.e2ee,
          name: name ?? file.fileName,
          size: file.status === 'uploaded' ? (plainSize?.(file.fileSize) ?? file.fileSize) : file.fileSize,
          modified: new Date(upload.createdAt),
        }
      }),
    )
    return { upload, files, isNew: newIDs.has(upload.id) }
  }

  async function received(): Promise<readonly Upload[]> {
    const uploads: Upload[] = []
    let after: string | null = null
    do {
      const limit = Math.min(count - uploads.length, limits.pageMax)
      const page = await api.receivedUploads(requestID, { limit, ...(after !== null && { after }) }, access())
      uploads.push(...page.results)
      after = page.after
    } while (after !== null && uploads.length < count)
    hasMore.value = after !== null
    return uploads
  }

  async function fetchState(): Promise<InboxState> {
    await loadUser()
    // In order: an upload between the two counts as unseen at the next refresh.
    const request = await api.uploadRequest(requestID, access())
    const uploads = await received()
    for (const { id } of uploads.slice(0, request.unseen)) newIDs.add(id)
    if (request.unseen > 0) await api.updateUploadRequest(requestID, { seen: true }, access())
    return { kind: 'ready', request, uploads: await Promise.all(uploads.map(named)) }
  }
  const scheduleRefresh = () => {
    clearTimeout(timer)
    if (!isDisposed && state.value.kind === 'ready') timer = setTimeout(() => void refresh(), interval)
  }
  const load = async () => {
    try {
      state.value = await fetchState()
    } catch (error) {
      state.value = { kind: 'failed', error }
    }
    scheduleRefresh()
  }
  /** Like `load`, but keeps the state if there is no response. */
  const refresh = async () => {
    if (document.visibilityState === 'visible')
      try {
        state.value = await fetchState()
      } catch (error) {
        if (!(error instanceof ApiError && isTransient(error))) state.value = { kind: 'failed', error }
      }
    scheduleRefresh()
  }
  onVisible(() => {
    if (state.value.kind === 'ready') void refresh()
  })
  onScopeDispose(() => {
    isDisposed = true
    clearTimeout(timer)
  })

  return {
    state,
    own,
    identity,
    hasMore,
    downloadAccess,
    load,
    refresh,
    loadMore: () => {
      count += step
      return refresh()
    },
    update: async (update: UploadRequestUpdate) => {
      const { title } = await api.updateUploadRequest(requestID, update, access())
      // The list of this browser has the title, too.
      if (own.value !== undefined && own.value.title !== title) requests.put({ ...own.value, title })
      await refresh()
    },
    removeUpload: async (uploadID: string) => {
      await api.removeUpload(uploadID, access())
      await refresh()
    },
    removeRequest: async () => {
      await api.removeUploadRequest(requestID, access())
      requests.remove(requestID)
    },
  }
}
