import { ApiError, createTaskQueue } from '@svc/sdk'
import { onScopeDispose, shallowReactive, watch } from 'vue'
import { api } from '../api/api.ts'
import { serverNow } from '../base/server-clock.ts'
import { statusOf, type SentStatus } from './sent-status.ts'
import type { SentUpload } from './store/sent-upload.ts'

/** Maximum number of concurrent requests. */
const concurrency = 4

function failureOf(error: unknown, { expireAt }: SentUpload): SentStatus {
  if (!(error instanceof ApiError) || error.status !== 404) return { kind: 'unknown' }
  return { kind: expireAt !== null && Date.parse(expireAt) <= serverNow() ? 'expired' : 'gone' }
}

/** Asks the server for the statuses of uploads, a few at a time, and again when the page becomes visible. */
export function useSentStatuses(shown: () => readonly SentUpload[]) {
  const statuses = shallowReactive(new Map<string, SentStatus>())
  const queue = createTaskQueue(concurrency)
  let isLeft = false

  const check = async (upload: SentUpload): Promise<void> => {
    if (isLeft) return
    try {
      const access = { uploadToken: upload.uploadToken }
      statuses.set(upload.id, statusOf(await api.upload(upload.id, access)))
    } catch (error) {
      statuses.set(upload.id, failureOf(error, upload))
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
  const checkVisible = () => {
    if (document.visibilityState === 'visible') checkAll(shown())
  }
  document.addEventListener('visibilitychange', checkVisible)
  onScopeDispose(() => {
    isLeft = true
    document.removeEventListener('visibilitychange', checkVisible)
  })
  return { of: ({ id }: SentUpload): SentStatus => statuses.get(id) ?? { kind: 'checking' } }
}
