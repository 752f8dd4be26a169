import { ApiError } from '@svc/sdk'
import { computed, onScopeDispose } from 'vue'
import { createQueue } from './queue.ts'
import { isMissing, isPaused, isUnfinished, type Transfer } from './transfer.ts'

/** How many files are sent at once (specification §8, rule 9). */
const atOnce = 5

const isCutOff = ({ state }: Transfer) =>
  state.kind === 'failed' && state.error instanceof ApiError && state.error.code === 'network'

/** What can be done with all files on their way: some at a time, in their order. */
export function useTransfers(transfers: () => readonly Transfer[]) {
  const queue = createQueue(atOnce)
  const retry = (transfer: Transfer) => {
    transfer.reset()
    queue.add(transfer.run)
  }
  const retryIf = (chosen: (transfer: Transfer) => boolean) => transfers().filter(chosen).forEach(retry)
  const goOnOnline = () => retryIf(isCutOff)
  addEventListener('online', goOnOnline)
  onScopeDispose(() => {
    removeEventListener('online', goOnOnline)
  })
  return {
    transfers,
    /** Some are not sent yet, and neither given up. */
    isActive: computed(() => transfers().some((one) => isUnfinished(one) || isPaused(one))),
    add: (added: readonly Transfer[]) => {
      for (const transfer of added) queue.add(transfer.run)
    },
    retry,
    retryAll: () => retryIf(isMissing),
    pauseAll: () => transfers().forEach((transfer) => transfer.pause()),
    resumeAll: () => retryIf(isPaused),
    cancelAll: () =>
      transfers()
        .filter((one) => !isMissing(one))
        .forEach((one) => one.cancel()),
    /** Nobody will look after them any more: what is not sent gives its place up. */
    leave: () => transfers().forEach((transfer) => transfer.cancel()),
  }
}
