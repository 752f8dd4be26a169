import type { File } from '@svc/contract'
import type { Client } from '../api/client.ts'
import type { ResumableOptions } from '../resumable/resumable-file.ts'
import { sliceOf, type Source } from '../source/source.ts'
import { createFileSlot, type UploadRef } from './file-slot.ts'

/** A file that waits to be sent. */
export interface QueuedFile {
  /** Unique in its queue; the `reference` of the declared file. */
  readonly key: string
  /** Name in the upload; `/` separates folders. */
  readonly name: string
  /** Name for display, where the name in the upload is encrypted. */
  readonly label?: string | undefined
  /** Size in bytes. */
  readonly size: number
  /** Media type, for display: the server detects its own. */
  readonly type?: string
  /** Returns the same bytes each time. */
  readonly open: () => Promise<Source> | Source
  /** Called once the file is stored, with its id. Must not throw. */
  readonly onSent?: ((fileID: string, upload: UploadRef) => void) | undefined
}

export type TransferState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: unknown }

/** The fields that change while a file is sent. */
interface TransferStatus {
  /** Bytes. */
  sent: number
  /** The connection is interrupted; the next attempt starts automatically. */
  interrupted: boolean
  state: TransferState
}

/** The upload of one file. */
export interface Transfer extends Readonly<TransferStatus> {
  readonly key: string
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly type: string
  /** Sends the file if it still waits. Never rejects: a failure becomes the state. */
  readonly run: () => Promise<void>
  readonly pause: () => void
  /** Queues the file again after a pause, a failure or a cancel. After a pause or a failure it resumes where it stopped. */
  readonly reset: () => void
  /** Stops the upload and removes the declared file. */
  readonly cancel: () => void
}

export type Observe = <Observed extends object>(object: Observed) => Observed

/** Changes of an object without an observer. */
export const unobserved: Observe = (object) => object

/** Receives changes. */
export interface TransferObserver {
  /** Makes an object observable, as Vue's `shallowReactive` does. */
  readonly observe?: Observe | undefined
  /** Called after each change. */
  readonly onChange?: (() => void) | undefined
}

export type TransferClient = Pick<Client, 'sendFile' | 'removeFile'>

/** Waiting, or being sent. */
export const isUnfinished = ({ state }: Transfer) => state.kind === 'waiting' || state.kind === 'sending'
export const isPaused = ({ state }: Transfer) => state.kind === 'paused'
/** Failed or cancelled: the server does not have all bytes. */
export const isIncomplete = ({ state }: Transfer) => state.kind === 'failed' || state.kind === 'cancelled'

/** Bytes of a part that is encrypted in memory before it is sent. */
const encryptedPartBytes = 8 * 1024 * 1024

/**
 * @param upload the upload, with its token unless a session authorizes it
 * @param watching `declared` is the declared file; without it the file is declared when it is sent
 */
export function createTransfer(
  client: TransferClient,
  upload: UploadRef,
  { key, name, label = name, size, type = '', open: openFile, onSent }: QueuedFile,
  {
    declared,
    observe = unobserved,
    onChange,
  }: TransferObserver & { readonly declared?: File | undefined } = {},
): Transfer {
  const slot = createFileSlot(client, upload, name, declared)
  // An earlier page or program has begun to send it.
  const isBegun = declared?.status === 'uploading' && !upload.stream
  if (isBegun) slot.markUncertain()
  let stop = new AbortController()
  let opened: Promise<Source> | undefined
  const open = async (): Promise<Source> => {
    opened ??= (async () => openFile())()
    try {
      const source = await opened
      // The next attempt opens the source again, because some can be read only once.
      if (sliceOf(source) === undefined) opened = undefined
      return source
    } catch (error) {
      opened = undefined
      throw error
    }
  }

  const resumable: ResumableOptions = {
    threshold: -1,
    ...(upload.e2ee !== '' && { maxPartSize: encryptedPartBytes }),
    fingerprint: key,
    memory: slot.memory,
    onInterruption: () => {
      change({ interrupted: true })
    },
  }
  const send = async (signal: AbortSignal): Promise<void> => {
    const source = await open()
    signal.throwIfAborted()
    const id = await client.sendFile(upload.id, source, {
      uploadToken: upload.uploadToken,
      fileName: name,
      fileID: slot.id(),
      e2ee: upload.e2ee,
      signal,
      // A stream cannot resume, since nothing of it is stored.
      resumable: upload.stream ? false : resumable,
      onProgress: ({ sent }) => {
        if (!signal.aborted) change({ sent, interrupted: false })
      },
    })
    if (!signal.aborted) onSent?.(id, upload)
  }
  const sendAnywhere = async (signal: AbortSignal): Promise<void> => {
    try {
      await send(signal)
    } catch (error) {
      if (!slot.isLost(error)) throw error
      slot.reset()
      await send(signal)
    }
  }

  const transfer = observe<Transfer & TransferStatus>({
    key,
    name: label,
    size,
    type,
    sent: isBegun ? (declared.offset ?? 0) : 0,
    interrupted: false,
    state: { kind: 'waiting' },
    run: async () => {
      if (transfer.state.kind !== 'waiting') return
      change({ state: { kind: 'sending' } })
      const { signal } = stop
      try {
        await sendAnywhere(signal)
        if (!signal.aborted) change({ sent: size, interrupted: false, state: { kind: 'sent' } })
      } catch (error) {
        // Pausing or cancelling has set the state, and the file may already be queued again.
        if (signal.aborted) return
        slot.markUncertain()
        change({ interrupted: false, state: { kind: 'failed', error } })
      }
    },
    pause: () => {
      if (!isUnfinished(transfer)) return
      if (transfer.state.kind === 'sending') slot.markUncertain()
      stop.abort()
      change({ interrupted: false, state: { kind: 'paused' } })
    },
    reset: () => {
      if (!isIncomplete(transfer) && !isPaused(transfer)) return
      stop = new AbortController()
      const sent = transfer.state.kind === 'cancelled' ? 0 : transfer.sent
      change({ sent, state: { kind: 'waiting' } })
    },
    cancel: () => {
      if (transfer.state.kind === 'sent' || transfer.state.kind === 'cancelled') return
      stop.abort()
      change({ interrupted: false, state: { kind: 'cancelled' } })
      void slot.release()
    },
  })
  const change = (changed: Partial<TransferStatus>) => {
    Object.assign(transfer, changed)
    onChange?.()
  }
  return transfer
}
