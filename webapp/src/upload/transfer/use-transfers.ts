import { ApiError, createUploadQueue, isPaused, isUnfinished, type Transfer } from '@svc/sdk'
import { computed, onScopeDispose, shallowReactive } from 'vue'
import { client } from '../../api/client.ts'

const isCutOff = ({ state }: Transfer) =>
  state.kind === 'failed' && state.error instanceof ApiError && state.error.code === 'network'

/** A queue that a page shows, and that goes on when there is a network again. It ends with the page. */
export function useTransfers() {
  const queue = createUploadQueue(client, { observe: shallowReactive })
  const goOnOnline = () => {
    queue.retryIf(isCutOff)
  }
  addEventListener('online', goOnOnline)
  onScopeDispose(() => {
    removeEventListener('online', goOnOnline)
    // Otherwise a running transfer could not be seen, paused or cancelled.
    queue.forget()
  })
  return {
    ...queue,
    /** Some are not sent yet, and neither given up. */
    isActive: computed(() => queue.transfers().some((one) => isUnfinished(one) || isPaused(one))),
  }
}
