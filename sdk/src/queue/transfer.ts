import type { File } from '@svc/contract'
import type { Client } from '../api/client.ts'
import type { ResumableOptions } from '../resumable/resumable-file.ts'
import { sliceOf, type Source } from '../source/source.ts'
import { createFileSlot, type UploadRef } from './file-slot.ts'

/** A file that waits to be sent. */
export interface QueuedFile {
  /** Unlike every other of its queue; the `reference` that the file is declared with. */
  readonly key: string
  /** What it is called in the upload; `/` separates folders. */
  readonly name: string
  /** Bytes that are sent. */
  readonly size: number
  /** Media type, for display: the server detects its own. */
  readonly type?: string
  /** The same bytes each time. */
  readonly open: () => Promise<Source> | Source
}

export type TransferState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: unknown }

/** What changes while a file is sent. */
interface TransferStatus {
  /** Bytes. */
  sent: number
  /** Nothing comes through at the moment; it is tried again by itself. */
  interrupted: boolean
  state: TransferState
}

/** One file on its way into an upload. */
export interface Transfer extends Readonly<TransferStatus> {
  readonly key: string
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly type: string
  /** Sends the file, when it still waits. Never rejects: what goes wrong is its state. */
  readonly run: () => Promise<void>
  readonly pause: () => void
  /** Queues it again after a pause, a failure or a cancel. After the first two it resumes where it stopped. */
  readonly reset: () => void
  /** Ends it, and gives its place in the upload up. */
  readonly cancel: () => void
}

export type Observe = <Observed extends object>(object: Observed) => Observed

/** Changes of an object without an observer. */
export const unobserved: Observe = (object) => object

/** How others get to know of changes. */
export interface TransferObserver {
  /** Makes an object one whose changes are noticed, as Vue's `shallowReactive` does. */
  readonly observe?: Observe | undefined
  /** Called after each change. */
  readonly onChange?: (() => void) | undefined
}

export type TransferClient = Pick<Client, 'sendFile' | 'removeFile'>

/** It waits for its turn, or is being sent. */
export const isUnfinished = ({ state }: Transfer) => state.kind === 'waiting' || state.kind === 'sending'
export const isPaused = ({ state }: Transfer) => state.kind === 'paused'
/** It failed or was cancelled: its bytes are not on the server. */
export const isIncomplete = ({ state }: Transfer) => state.kind === 'failed' || state.kind === 'cancelled'

/** Bytes of a piece that is encrypted in memory before it goes out. */
const encryptedPartBytes = 8 * 1024 * 1024

/**
 * @param upload with its token, unless a session does it
 * @param watching `declared` is the file's place in the upload; without one it gets a place when it is sent
 */
export function createTransfer(
  client: TransferClient,
  upload: UploadRef,
  { key, name, size, type = '', open: openFile }: QueuedFile,
  {
    declared,
    observe = unobserved,
    onChange,
  }: TransferObserver & { readonly declared?: File | undefined } = {},
): Transfer {
  const place = createFileSlot(client, upload, name, declared)
  let stop = new AbortController()
  let opened: Promise<Source> | undefined
  const open = async (): Promise<Source> => {
    opened ??= (async () => openFile())()
    try {
      const source = await opened
      // A source that can be read once is opened again for the next attempt.
      if (sliceOf(source) === undefined) opened = undefined
      return source
    } catch (error) {
      opened = undefined
      throw error
    }
  }

  const pieces: ResumableOptions = {
    threshold: -1,
    ...(upload.e2ee !== '' && { maxPartSize: encryptedPartBytes }),
    fingerprint: key,
    memory: place.memory,
    onInterruption: () => {
      change({ interrupted: true })
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
      // A stream cannot resume, since nothing of it is stored.
      resumable: upload.stream ? false : pieces,
      onProgress: ({ sent }) => {
        if (!signal.aborted) change({ sent, interrupted: false })
      },
    })
  }
  const sendAnywhere = async (signal: AbortSignal): Promise<void> => {
    try {
      await send(signal)
    } catch (error) {
      if (!place.isLost(error)) throw error
      place.reset()
      await send(signal)
    }
  }

  const transfer = observe<Transfer & TransferStatus>({
    key,
    name,
    size,
    type,
    sent: 0,
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
        place.markUncertain()
        change({ interrupted: false, state: { kind: 'failed', error } })
      }
    },
    pause: () => {
      if (!isUnfinished(transfer)) return
      if (transfer.state.kind === 'sending') place.markUncertain()
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
      void place.release()
    },
  })
  const change = (changed: Partial<TransferStatus>) => {
    Object.assign(transfer, changed)
    onChange?.()
  }
  return transfer
}
