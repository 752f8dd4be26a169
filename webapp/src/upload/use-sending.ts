import type { Upload, UploadOptions } from '@svc/contract'
import { computed, shallowRef } from 'vue'
import { client } from '../app/client.ts'
import type { ChosenFile } from './chosen-files.ts'
import { createQueue } from './queue.ts'
import { createTransfer, isMissing, isUnfinished, type Transfer } from './transfer.ts'

/** How many files are sent at once (specification §8, rule 9). */
const atOnce = 5

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'creating' }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'running'; readonly upload: Upload; readonly transfers: readonly Transfer[] }

/** Sends chosen files: creates their upload, then hands the files to a queue. */
export function useSending() {
  const state = shallowRef<State>({ kind: 'idle' })
  const queue = createQueue(atOnce)
  const transfers = computed(() => (state.value.kind === 'running' ? state.value.transfers : []))
  const isActive = computed(() => state.value.kind === 'creating' || transfers.value.some(isUnfinished))

  const start = async (files: readonly ChosenFile[], options: UploadOptions) => {
    state.value = { kind: 'creating' }
    const declarations = files.map(({ key, name, blob }) => ({
      reference: key,
      fileName: name,
      fileSize: blob.size,
    }))
    try {
      const upload = await client.createUpload({ ...options, files: declarations })
      const declared = new Map(upload.files.map((file) => [file.reference, file]))
      const created = files.map((file) => createTransfer(client, upload, file, declared.get(file.key)))
      state.value = { kind: 'running', upload, transfers: created }
      for (const transfer of created) queue.add(transfer.run)
    } catch (error) {
      state.value = { kind: 'refused', error }
    }
  }
  const retry = (transfer: Transfer) => {
    transfer.reset()
    queue.add(transfer.run)
  }
  return {
    state,
    transfers,
    isActive,
    start,
    retry,
    retryAll: () => transfers.value.filter(isMissing).forEach(retry),
    cancelAll: () => transfers.value.forEach((transfer) => transfer.cancel()),
    reset: () => {
      state.value = { kind: 'idle' }
    },
  }
}
