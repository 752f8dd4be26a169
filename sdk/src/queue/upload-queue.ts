import { isIncompleteFile, type FileDeclaration, type Upload } from '@svc/contract'
import type { UploadRef } from './file-slot.ts'
import { createSpeedMeter, secondsLeft } from './speed-meter.ts'
import { createTally, type Tally } from './tally.ts'
import { createTaskQueue } from './task-queue.ts'
import type { Totals } from './totals.ts'
import {
  createTransfer,
  isIncomplete,
  isPaused,
  unobserved,
  type QueuedFile,
  type Transfer,
  type TransferClient,
  type TransferObserver,
} from './transfer.ts'

/** Files sent at the same time by default (docs/protocol.md#limits). */
const defaultConcurrency = 5

export interface UploadQueueOptions extends TransferObserver {
  /** Maximum number of files sent at the same time; 5 by default. */
  readonly concurrency?: number | undefined
  /** A clock in milliseconds, to measure the speed. */
  readonly now?: (() => number) | undefined
}

/** Progress of a queue. */
export interface QueueProgress extends Totals {
  /** A moving average over a few seconds, in bytes per second. */
  readonly speed: number
  /** Seconds until all is sent; undefined while unknown. */
  readonly secondsLeft: number | undefined
}

/** The upload that files are added to, with its token unless a session authorizes them. */
export type QueueTarget = UploadRef & Pick<Partial<Upload>, 'files'>

/** Declares the files of a queue in the request that creates their upload. */
export const declarationsOf = (files: readonly QueuedFile[]): FileDeclaration[] =>
  files.map(({ key, name, size }) => ({ reference: key, fileName: name, fileSize: size }))

/**
 * Sends files in order and in parts, a limited number at a time. After a lost connection each file resumes where it
 * stopped, with growing delays between attempts; after the last attempt it is `failed` and can be retried. Streams are not
 * retried automatically, because their bytes are not stored.
 */
export function createUploadQueue(client: TransferClient, options: UploadQueueOptions = {}) {
  const { concurrency = defaultConcurrency, now = Date.now, observe = unobserved, onChange } = options
  const tasks = createTaskQueue(concurrency)
  const list = observe<{ transfers: readonly Transfer[] }>({ transfers: [] })
  const tally = createTally(observe)
  let meter = createSpeedMeter()
  let waiting: ((transfers: readonly Transfer[]) => void)[] = []

  const isSettled = () => {
    const { isActive, pausedFiles } = tally.current()
    return !isActive && pausedFiles === 0
  }
  const notifySettled = () => {
    if (waiting.length === 0 || !isSettled()) return
    for (const resolve of waiting) resolve(list.transfers)
    waiting = []
  }
  const changed = () => {
    onChange?.()
    notifySettled()
  }
  /** Speed before a break does not predict the next transfer. */
  const resetIdleMeter = () => {
    if (!tally.current().isActive) meter = createSpeedMeter()
  }
  const retry = (transfer: Transfer) => {
    resetIdleMeter()
    transfer.reset()
    tasks.add(transfer.run)
  }
  const retryIf = (chosen: (transfer: Transfer) => boolean) => list.transfers.filter(chosen).forEach(retry)
  return {
    transfers: (): readonly Transfer[] => list.transfers,
    /** Bytes and numbers of all files. Reading it observes one object, and not each of the files. */
    tally: (): Tally => tally.current(),
    /** The files that have failed or were cancelled, in their order. */
    incomplete: (): readonly Transfer[] => tally.incompleteOf(list.transfers),
    /**
     * Queues files for an upload. A file whose key is the `reference` of a declared file becomes that file. If a part of it
     * was sent before, for example by a page that was closed, it continues there.
     */
    add: (upload: QueueTarget, files: readonly QueuedFile[]): readonly Transfer[] => {
      resetIdleMeter()
      const incomplete = (upload.files ?? []).filter(isIncompleteFile)
      const declared = new Map(incomplete.map((file) => [file.reference, file]))
      const added = files.map((file) => {
        const transfer = createTransfer(client, upload, file, {
          declared: declared.get(file.key),
          observe,
          onChange: () => {
            tally.update(transfer)
            changed()
          },
        })
        return transfer
      })
      list.transfers = [...list.transfers, ...added]
      tally.add(added)
      changed()
      for (const transfer of added) tasks.add(transfer.run)
      return added
    },
    /** Retries one file after a failure, a pause or a cancel. */
    retry,
    retryIf,
    /** Retries all files that failed or were cancelled. */
    retryAll: () => retryIf(isIncomplete),
    pauseAll: () => list.transfers.forEach((transfer) => transfer.pause()),
    resumeAll: () => retryIf(isPaused),
    cancelAll: () =>
      list.transfers.filter((transfer) => !isIncomplete(transfer)).forEach((transfer) => transfer.cancel()),
    /** Takes files off the list. Unsent ones are cancelled and their declared files removed. */
    forget: (chosen: (transfer: Transfer) => boolean = () => true) => {
      const gone = new Set(list.transfers.filter(chosen))
      for (const transfer of gone) transfer.cancel()
      list.transfers = list.transfers.filter((transfer) => !gone.has(transfer))
      tally.remove(gone)
      changed()
    },
    /** Progress now. Each call is a sample for the speed. */
    progress: (): QueueProgress => {
      const { total, sent, unsent, sentFiles, isActive } = tally.current()
      const speed = isActive ? meter.sample(now(), sent) : 0
      return { total, sent, unsent, sentFiles, isActive, speed, secondsLeft: secondsLeft(unsent, speed) }
    },
    /** Resolves once each file is sent, failed or cancelled; at once without files. */
    settled: (): Promise<readonly Transfer[]> =>
      new Promise((resolve) => {
        waiting.push(resolve)
        notifySettled()
      }),
  }
}

export type UploadQueue = ReturnType<typeof createUploadQueue>
