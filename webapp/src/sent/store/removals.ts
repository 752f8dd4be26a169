import { onScopeDispose } from 'vue'
import { defineStore } from '../../base/store.ts'
import { applicationPath } from './application-path.ts'
import { useSentUploads } from './sent-uploads.ts'

/** Uploads that were deleted: some of them, or all of one user. */
export type Removal = { readonly ids: readonly string[] } | { readonly owner: string }

/** Whether a removal includes an upload. */
export const isRemoved = (
  removal: Removal,
  upload: { readonly id: string; readonly user?: string | undefined },
): boolean => ('ids' in removal ? removal.ids.includes(upload.id) : removal.owner === upload.user)

/** Deletions of uploads, in all tabs. */
export const useRemovals = defineStore(() => {
  const sent = useSentUploads()
  const listeners = new Set<(removal: Removal) => void>()
  let channel: BroadcastChannel | undefined

  function notify(removal: Removal): void {
    sent.forget((upload) => isRemoved(removal, { id: upload.id, user: upload.owner }))
    for (const listener of listeners) listener(removal)
  }

  /** The channel to the other tabs; undefined where the browser forbids it along with the storage. */
  function opened(): BroadcastChannel | undefined {
    try {
      channel ??= new BroadcastChannel(`svc-removals ${applicationPath()}`)
      channel.onmessage = ({ data }: MessageEvent<Removal>) => {
        notify(data)
      }
    } catch {
      // Other tabs see it at their next look.
    }
    return channel
  }
  onScopeDispose(() => {
    channel?.close()
  })
  return {
    /** Takes deleted uploads off the list of this device, and informs all tabs. */
    announceRemoval: (removal: Removal) => {
      notify(removal)
      opened()?.postMessage(removal)
    },
    /** Calls back when this or another tab has deleted uploads, until the scope of the caller ends. */
    onRemoval: (listener: (removal: Removal) => void) => {
      opened()
      listeners.add(listener)
      onScopeDispose(() => {
        listeners.delete(listener)
      })
    },
  }
})
