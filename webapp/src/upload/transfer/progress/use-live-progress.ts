import type { Upload } from '@svc/contract'
import { onScopeDispose, shallowRef, watch } from 'vue'
import { api } from '../../../api/api.ts'

/** Polling interval, in ms. */
const interval = 1000

/**
 * What the recipients of a live transfer have received, as the server reports it to the sender: bytes by the reference of
 * the file, without files that wait for a recipient.
 */
export function useLiveProgress(upload: Upload, isActive: () => boolean) {
  const received = shallowRef<ReadonlyMap<string, number>>(new Map())
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDisposed = false

  const refresh = async (): Promise<void> => {
    try {
      const { files } = await api.upload(upload.id, { uploadToken: upload.uploadToken })
      const entries = files.flatMap(({ reference, status, offset }) =>
        reference !== undefined && status === 'uploading' && offset !== undefined
          ? [[reference, offset] as const]
          : [],
      )
      received.value = new Map(entries)
    } catch {
      // The transfer itself reports a lost connection.
    }
    scheduleRefresh()
  }
  const scheduleRefresh = () => {
    clearTimeout(timer)
    if (upload.stream && isActive() && !isDisposed) timer = setTimeout(() => void refresh(), interval)
  }
  watch(isActive, scheduleRefresh, { immediate: true })
  onScopeDispose(() => {
    isDisposed = true
    clearTimeout(timer)
  })
  return { received }
}
