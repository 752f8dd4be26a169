import { onScopeDispose } from 'vue'
import { pagePath } from './page-path.ts'
import { useSentUploads } from './sent-uploads.ts'

/** Uploads that were deleted: some of them, or all of one user. */
export type Removal = { readonly ids: readonly string[] } | { readonly owner: string }

const listeners = new Set<(removal: Removal) => void>()
let channel: BroadcastChannel | undefined

function notify(removal: Removal): void {
  useSentUploads().forget((upload) => isRemoved(removal, { id: upload.id, user: upload.owner }))
  for (const listener of listeners) listener(removal)
}

/** The channel to the other tabs; undefined where the browser forbids it along with the storage. */
function opened(): BroadcastChannel | undefined {
  try {
    channel ??= new BroadcastChannel(`svc-removals ${pagePath()}`)
    channel.onmessage = ({ data }: MessageEvent<Removal>) => {
      notify(data)
    }
  } catch {
    // Other tabs see it at their next look.
  }
  return channel
}

/** Whether a removal includes an upload. */
export const isRemoved = (
  removal: Removal,
  upload: { readonly id: string; readonly user?: string | undefined },
): boolean => ('ids' in removal ? removal.ids.includes(upload.id) : removal.owner === upload.user)

/** Takes deleted uploads off the list of this device, and informs all tabs. */
export function announceRemoval(removal: Removal): void {
  notify(removal)
  opened()?.postMessage(removal)
}

/** Calls back when this or another tab has deleted uploads. */
export function onRemoval(listener: (removal: Removal) => void): void {
  opened()
  listeners.add(listener)
  onScopeDispose(() => {
    listeners.delete(listener)
  })
}
