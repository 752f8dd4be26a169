import { ApiError, createUploadQueue, isPaused, isUnfinished, type Transfer } from '@svc/sdk'
import { computed, onScopeDispose, shallowReactive } from 'vue'
import { api } from '../../api/api.ts'

const isCutOff = ({ state }: Transfer) =>
  state.kind === 'failed' && state.error instanceof ApiError && state.error.code === 'network'

/** The queue of a page. It resumes when the browser is online again, and ends with the page. */
export function useTransfers() {
  const queue = createUploadQueue(api, { observe: shallowReactive })
  const retryWhenOnline = () => {
    queue.retryIf(isCutOff)
  }
  addEventListener('online', retryWhenOnline)
  onScopeDispose(() => {
    removeEventListener('online', retryWhenOnline)
    // Without this, the user could not see, pause or cancel a running transfer.
    queue.forget()
  })
  return {
    ...queue,
    /** Whether files are waiting, being sent or paused. */
    isActive: computed(() =>
      queue.transfers().some((transfer) => isUnfinished(transfer) || isPaused(transfer)),
    ),
  }
}
