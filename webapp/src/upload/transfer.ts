import type { File } from '@svc/contract'
import type { Client, PiecesOptions, Source } from '@svc/sdk'
import { shallowReactive } from 'vue'
import type { OutgoingFile } from './outgoing-file.ts'
import { createPlace, type UploadPlace } from './place.ts'

export type TransferState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'paused' }
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
  /** Nothing comes through at the moment; it is tried again by itself. */
  cut: boolean
  state: TransferState
  /** Sends the file, when it still waits. Never rejects: what goes wrong is its state. */
  readonly run: () => Promise<void>
  readonly pause: () => void
  /** Back into the line after a pause, a failure or a cancel. After the first two it goes on where it was. */
  readonly reset: () => void
  /** Ends it, and gives its place in the upload up. */
  readonly cancel: () => void
}

export type TransferClient = Pick<Client, 'sendFile' | 'removeFile'>

export const isUnfinished = ({ state }: Transfer) => state.kind === 'waiting' || state.kind === 'sending'
export const isPaused = ({ state }: Transfer) => state.kind === 'paused'
export const isMissing = ({ state }: Transfer) => state.kind === 'failed' || state.kind === 'cancelled'

/** Bytes of a piece that is encrypted in memory before it goes out. */
const encryptedPiece = 8 * 1024 * 1024

/**
 * @param upload with its token, unless a session does it
 * @param declared the file's place in the upload; without one it gets a place when it is sent
 */
export function createTransfer(
  client: TransferClient,
  upload: UploadPlace,
  outgoing: OutgoingFile,
  declared: File | undefined,
): Transfer {
  const { key, name, size, type } = outgoing
  const place = createPlace(client, upload, name, declared)
  let stop = new AbortController()
  let opened: Promise<Source> | undefined
  const open = (): Promise<Source> =>
    (opened ??= outgoing.open().catch((error: unknown) => {
      opened = undefined
      throw error
    }))

  const pieces: PiecesOptions = {
    above: -1,
    ...(upload.e2ee !== '' && { largest: encryptedPiece }),
    fingerprint: key,
    memory: place.memory,
    onCut: () => {
      transfer.cut = true
    },
  }
  const send = async (signal: AbortSignal): Promise<void> => {
    const source = await open()
    signal.throwIfAborted()
    await client.sendFile(upload.id, source, {
      uploadToken: upload.uploadToken,
      fileName: name,
      fileID: place.id(),
      e2ee: upload.e2ee,
      signal,
      // What is streamed cannot go on, as nothing of it is kept.
      pieces: upload.stream ? false : pieces,
      onProgress: ({ sent }) => {
        if (signal.aborted) return
        transfer.sent = sent
        transfer.cut = false
      },
    })
  }
  const sendAnywhere = async (signal: AbortSignal): Promise<void> => {
    try {
      await send(signal)
    } catch (error) {
      if (!place.isLost(error)) throw error
      place.forget()
      await send(signal)
    }
  }

  const transfer = shallowReactive<Transfer>({
    key,
    name,
    size,
    type,
    sent: 0,
    cut: false,
    state: { kind: 'waiting' },
    run: async () => {
      if (transfer.state.kind !== 'waiting') return
      transfer.state = { kind: 'sending' }
      const { signal } = stop
      try {
        await sendAnywhere(signal)
        if (signal.aborted) return
        transfer.sent = size
        transfer.state = { kind: 'sent' }
      } catch (error) {
        // Whoever paused or cancelled it has said what it is now, and it may already wait for its next turn.
        if (signal.aborted) return
        place.doubt()
        transfer.state = { kind: 'failed', error }
      } finally {
        if (!signal.aborted) transfer.cut = false
      }
    },
    pause: () => {
      if (!isUnfinished(transfer)) return
      if (transfer.state.kind === 'sending') place.doubt()
      stop.abort()
      transfer.cut = false
      transfer.state = { kind: 'paused' }
    },
    reset: () => {
      if (!isMissing(transfer) && !isPaused(transfer)) return
      stop = new AbortController()
      if (transfer.state.kind === 'cancelled') transfer.sent = 0
      transfer.state = { kind: 'waiting' }
    },
    cancel: () => {
      if (transfer.state.kind === 'sent' || transfer.state.kind === 'cancelled') return
      stop.abort()
      transfer.cut = false
      transfer.state = { kind: 'cancelled' }
      void place.leave()
    },
  })
  return transfer
}
