import type { FileDeclaration, Upload } from '@svc/contract'
import type { UploadRef } from './file-slot.ts'
import { createSpeedMeter, secondsLeft } from './speed-meter.ts'
import { createTaskQueue } from './task-queue.ts'
import { totalsOf, type Totals } from './totals.ts'
import {
  createTransfer,
  isIncomplete,
  isPaused,
  isUnfinished,
  unobserved,
  type QueuedFile,
  type Transfer,
  type TransferClient,
  type TransferObserver,
} from './transfer.ts'

/** How many files are sent at once by default (specification §8, rule 9). */
const defaultConcurrency = 5

export interface UploadQueueOptions extends TransferObserver {
  /** How many files are sent at once; 5 by default. */
  readonly concurrency?: number | undefined
  /** Milliseconds since some moment, to tell the speed. */
  readonly now?: (() => number) | undefined
}

/** How far a queue is. */
export interface QueueProgress extends Totals {
  /** A calm speed, in bytes per second: what was more than a few seconds ago fades out. */
  readonly speed: number
  /** Seconds until all is sent; undefined while unknown. */
  readonly secondsLeft: number | undefined
}

/** An upload that files go to: as it was created, or found, with its token unless a session does it. */
export type QueueTarget = UploadRef & Pick<Partial<Upload>, 'files'>

/** What an upload is created with so that the files of a queue have their places in it. */
export const declarationsOf = (files: readonly QueuedFile[]): FileDeclaration[] =>
  files.map(({ key, name, size }) => ({ reference: key, fileName: name, fileSize: size }))

/**
 * Sends files in order, some at once, in parts: after a lost connection each resumes where it stopped, with
 * growing pauses between attempts; when it gives up, it is `failed` and can be retried. A file that is streamed to its downloader
 * is not tried again by itself, as nothing of it is kept.
 */
export function createUploadQueue(client: TransferClient, options: UploadQueueOptions = {}) {
  const { concurrency = defaultConcurrency, now = Date.now, observe = unobserved, onChange } = options
  const tasks = createTaskQueue(concurrency)
  const list = observe<{ transfers: readonly Transfer[] }>({ transfers: [] })
  let meter = createSpeedMeter()
  let waiting: ((transfers: readonly Transfer[]) => void)[] = []

  const isSettled = () => !list.transfers.some((one) => isUnfinished(one) || isPaused(one))
  const notifySettled = () => {
    if (waiting.length === 0 || !isSettled()) return
    for (const resolve of waiting) resolve(list.transfers)
    waiting = []
  }
  const changed = () => {
    onChange?.()
    notifySettled()
  }
  /** The speed before a break says nothing about the next transfer. */
  const beginning = () => {
    if (!list.transfers.some(isUnfinished)) meter = createSpeedMeter()
  }
  const retry = (transfer: Transfer) => {
    beginning()
    transfer.reset()
    tasks.add(transfer.run)
  }
  const retryIf = (chosen: (transfer: Transfer) => boolean) => list.transfers.filter(chosen).forEach(retry)
  return {
    transfers: (): readonly Transfer[] => list.transfers,
    /** Queues files for an upload; those that it has declared under their keys take the places that wait for them. */
    add: (upload: QueueTarget, files: readonly QueuedFile[]): readonly Transfer[] => {
      beginning()
      const places = (upload.files ?? []).filter(({ status }) => status === 'missing')
      const declared = new Map(places.map((file) => [file.reference, file]))
      const added = files.map((file) =>
        createTransfer(client, upload, file, {
          declared: declared.get(file.key),
          observe,
          onChange: changed,
        }),
      )
      list.transfers = [...list.transfers, ...added]
      changed()
      for (const transfer of added) tasks.add(transfer.run)
      return added
    },
    /** Once more after a failure, a pause or a cancel. */
    retry,
    retryIf,
    /** All that failed or were cancelled. */
    retryAll: () => retryIf(isIncomplete),
    pauseAll: () => list.transfers.forEach((transfer) => transfer.pause()),
    resumeAll: () => retryIf(isPaused),
    cancelAll: () => list.transfers.filter((one) => !isIncomplete(one)).forEach((one) => one.cancel()),
    /** Takes files off the list; those that are not sent are cancelled, and give their places up. */
    forget: (chosen: (transfer: Transfer) => boolean = () => true) => {
      const gone = list.transfers.filter(chosen)
      for (const transfer of gone) transfer.cancel()
      list.transfers = list.transfers.filter((one) => !gone.includes(one))
      changed()
    },
    /** To be asked now and then: the speed is that between the looks. */
    progress: (): QueueProgress => {
      const totals = totalsOf(list.transfers)
      const speed = totals.isActive ? meter.look(now(), totals.sent) : 0
      return { ...totals, speed, secondsLeft: secondsLeft(totals.unsent, speed) }
    },
    /** Resolves once each file is sent, failed or cancelled: at once when there is none. */
    settled: (): Promise<readonly Transfer[]> =>
      new Promise((resolve) => {
        waiting.push(resolve)
        notifySettled()
      }),
  }
}

export type UploadQueue = ReturnType<typeof createUploadQueue>
