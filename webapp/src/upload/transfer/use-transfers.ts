import { ApiError, createUploadQueue, type Transfer } from '@svc/sdk'
import { computed, onScopeDispose, shallowReactive, shallowRef, watch } from 'vue'
import { api } from '../../api/api.ts'

const isCutOff = ({ state }: Transfer) =>
  state.kind === 'failed' && state.error instanceof ApiError && state.error.code === 'network'

/** The queue of a page. It resumes when the browser is online again, and ends with the page. */
export function useTransfers() {
  const queue = createUploadQueue(api, { observe: shallowReactive })
  const retryWhenOnline = () => {
    queue.retryIf(isCutOff)
  }
  const isSending = shallowRef(false)
  watch(
    () => queue.tally().isActive,
    (now) => (isSending.value = now),
    { flush: 'sync' },
  )
  addEventListener('online', retryWhenOnline)
  onScopeDispose(() => {
    removeEventListener('online', retryWhenOnline)
    // Without this, the user could not see, pause or cancel a running transfer.
    queue.forget()
  })
  return {
    ...queue,
    /**
     * Whether files are waiting or being sent. What depends on it is checked when it changes, and not at each change of a file, as with
     * a computed value.
     */
    isSending,
    /** Whether files are waiting, being sent or paused. */
    isActive: computed(() => {
      const { isActive, pausedFiles } = queue.tally()
      return isActive || pausedFiles > 0
    }),
  }
}
