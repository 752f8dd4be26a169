import { totalsOf, type UploadQueue } from '@svc/sdk'
import { computed, onScopeDispose, shallowRef } from 'vue'

const lookInterval = 500

/** Progress of all files: bytes, smoothed speed (bytes per second) and remaining seconds. */
export function useUploadProgress(queue: Pick<UploadQueue, 'transfers' | 'progress'>) {
  const totals = computed(() => totalsOf(queue.transfers()))
  const done = computed(() => {
    const { total, sent, isActive } = totals.value
    return total === 0 ? Number(!isActive) : sent / total
  })
  const pace = shallowRef(queue.progress())
  const timer = setInterval(() => {
    if (totals.value.isActive) pace.value = queue.progress()
  }, lookInterval)
  onScopeDispose(() => {
    clearInterval(timer)
  })
  return { totals, done, pace }
}
