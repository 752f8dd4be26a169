import type { Upload } from '@svc/contract'
import { ApiError, createTaskQueue } from '@svc/sdk'
import { onScopeDispose, shallowReactive, watch } from 'vue'
import { api } from '../api/api.ts'
import { onVisible } from '../base/browser/on-visible.ts'
import { useServerClock } from '../base/use-server-clock.ts'
import { statusOf, type SentStatus } from './sent-status.ts'
import type { SentUpload } from './store/sent-upload.ts'
import type { watchSent } from './watch-sent.ts'

/** Maximum number of concurrent requests. */
const concurrency = 4

function failureOf(error: unknown, { expireAt }: SentUpload, now: number): SentStatus {
  if (!(error instanceof ApiError) || error.status !== 404) return { kind: 'unknown' }
  return { kind: expireAt !== null && Date.parse(expireAt) <= now ? 'expired' : 'gone' }
}

/**
 * Asks the server for the statuses of uploads, a few at a time, and again when the page becomes visible or when an upload
 * has changed.
 */
export function useSentStatuses(shown: () => readonly SentUpload[]) {
  const statuses = shallowReactive(new Map<string, SentStatus>())
  const queue = createTaskQueue(concurrency)
  const { serverNow } = useServerClock()
  let isDisposed = false
  /** Loaded with the first upload. */
  let watching: Promise<ReturnType<typeof watchSent> | undefined> | undefined

  const watchChanges = async (upload: SentUpload, described: Upload): Promise<void> => {
    watching ??= import('./watch-sent.ts').then(
      (loaded) => loaded.watchSent(),
      () => undefined,
    )
    const watched = await watching
    if (!isDisposed) watched?.update(described, () => check(upload))
  }
  const check = async (upload: SentUpload): Promise<void> => {
    if (isDisposed) return
    try {
      const access = { uploadToken: upload.uploadToken }
      const described = await api.upload(upload.id, access)
      statuses.set(upload.id, statusOf(described))
      await watchChanges(upload, described)
    } catch (error) {
      statuses.set(upload.id, failureOf(error, upload, serverNow()))
    }
  }
  const checkAll = (uploads: readonly SentUpload[]) => {
    for (const upload of uploads) queue.add(() => check(upload))
  }
  watch(
    shown,
    (now) => {
      checkAll(now.filter(({ id }) => !statuses.has(id)))
    },
    { immediate: true },
  )
  onVisible(() => {
    checkAll(shown())
  })
  onScopeDispose(() => {
    isDisposed = true
    void watching?.then((watched) => watched?.end())
  })
  return { statusOf: ({ id }: SentUpload): SentStatus => statuses.get(id) ?? { kind: 'checking' } }
}
