import type { File, Upload } from '@svc/contract'
import type { Client } from '@svc/sdk'
import { shallowReactive } from 'vue'
import type { ChosenFile } from './chosen-files.ts'

export type TransferState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: unknown }

/** One file on its way into an upload. */
export interface Transfer {
  readonly key: string
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly type: string
  sent: number
  state: TransferState
  /** Sends the file, when it still waits. Never rejects: what goes wrong is its state. */
  readonly run: () => Promise<void>
  /** Back into the line after a failure or a cancel. */
  readonly reset: () => void
  readonly cancel: () => void
}

export type TransferClient = Pick<Client, 'addFile' | 'removeFile'>

export const isUnfinished = ({ state }: Transfer) => state.kind === 'waiting' || state.kind === 'sending'
export const isMissing = ({ state }: Transfer) => state.kind === 'failed' || state.kind === 'cancelled'

/**
 * @param upload as it was created, with its token
 * @param declared the file's place in the upload, under which it is sent the first time
 */
export function createTransfer(
  client: TransferClient,
  upload: Upload,
  chosen: ChosenFile,
  declared: File | undefined,
): Transfer {
  const access = { uploadToken: upload.uploadToken }
  let place = declared
  let stop = new AbortController()
  /** Gives the declared place up, so that nobody waits for it. A stream file keeps its place to be tried again. */
  const leavePlace = async () => {
    if (!place || upload.stream) return
    const left = place
    place = undefined
    try {
      await client.removeFile(upload.id, left, access)
    } catch {
      // Already gone, since a broken transfer takes the place with it; or no connection, then nothing can be done.
    }
  }

  const transfer = shallowReactive<Transfer>({
    key: chosen.key,
    name: chosen.name,
    size: chosen.blob.size,
    type: chosen.blob.type,
    sent: 0,
    state: { kind: 'waiting' },
    run: async () => {
      if (transfer.state.kind !== 'waiting') return
      transfer.state = { kind: 'sending' }
      const { signal } = stop
      try {
        await client.addFile(upload.id, chosen.blob, {
          ...access,
          fileName: chosen.name,
          fileID: place?.id,
          signal,
          onProgress: ({ sent }) => (transfer.sent = sent),
        })
        transfer.sent = transfer.size
        transfer.state = { kind: 'sent' }
      } catch (error) {
        // After a cancel it may already wait for its next turn.
        if (!signal.aborted) transfer.state = { kind: 'failed', error }
        await leavePlace()
      }
    },
    reset: () => {
      if (!isMissing(transfer)) return
      stop = new AbortController()
      transfer.sent = 0
      transfer.state = { kind: 'waiting' }
    },
    cancel: () => {
      if (!isUnfinished(transfer)) return
      const wasWaiting = transfer.state.kind === 'waiting'
      stop.abort()
      transfer.state = { kind: 'cancelled' }
      if (wasWaiting) void leavePlace()
    },
  })
  return transfer
}
