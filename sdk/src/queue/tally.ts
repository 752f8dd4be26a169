import type { Totals } from './totals.ts'
import { unobserved, type Observe, type Transfer, type TransferState } from './transfer.ts'

interface Sums extends Omit<Totals, 'isActive'> {
  readonly files: number
  readonly sendingFiles: number
  /** Of those that are being sent, the files without a connection. */
  readonly interruptedFiles: number
  readonly pausedFiles: number
  readonly failedFiles: number
  readonly cancelledFiles: number
}

/** The progress of a queue, and the numbers of its files by their state. */
export interface Tally extends Sums, Totals {}

/** What a file adds to the sums. */
function sumsOf({ size, sent, interrupted, state: { kind } }: Transfer): Sums {
  const is = (counted: TransferState['kind']) => Number(kind === counted)
  return {
    total: size,
    sent: kind === 'cancelled' ? 0 : sent,
    unsent: kind === 'waiting' || kind === 'sending' ? size - sent : 0,
    sentFiles: is('sent'),
    files: 1,
    sendingFiles: is('sending'),
    interruptedFiles: interrupted ? is('sending') : 0,
    pausedFiles: is('paused'),
    failedFiles: is('failed'),
    cancelledFiles: is('cancelled'),
  }
}

const isIncomplete = (sums: Sums | undefined) => Boolean(sums?.failedFiles || sums?.cancelledFiles)

function withActivity(sums: Sums): Tally {
  const { files, sentFiles, pausedFiles, failedFiles, cancelledFiles } = sums
  return { ...sums, isActive: files > sentFiles + pausedFiles + failedFiles + cancelledFiles }
}

/** Counts the files of a queue as they change: with thousands of files, going through all of them at each change would block a page. */
export function createTally(observe: Observe = unobserved) {
  const counted = new Map<Transfer, Sums>()
  const noFile = { size: 0, sent: 0, state: { kind: 'waiting' } } as Transfer
  const empty: Sums = { ...sumsOf(noFile), files: 0 }
  const observed = observe({ tally: withActivity(empty), incompleteChanges: 0 })

  /** Counts files as they are now, or no longer. */
  const apply = (transfers: Iterable<Transfer>, isCounted: boolean) => {
    const sums: Record<string, number> & Sums = { ...observed.tally, isActive: 0 }
    const add = (changed: Sums | undefined, sign: 1 | -1) => {
      for (const [name, value] of Object.entries(changed ?? {}))
        sums[name] = (sums[name] ?? 0) + sign * Number(value)
    }
    let isChanged = false
    for (const transfer of transfers) {
      const before = counted.get(transfer)
      const now = isCounted ? sumsOf(transfer) : undefined
      add(before, -1)
      add(now, 1)
      isChanged ||= isIncomplete(before) || isIncomplete(now)
      if (now === undefined) counted.delete(transfer)
      else counted.set(transfer, now)
    }
    observed.tally = withActivity(sums)
    if (isChanged) observed.incompleteChanges += 1
  }
  return {
    current: (): Tally => observed.tally,
    add: (transfers: readonly Transfer[]) => {
      apply(transfers, true)
    },
    /** Counts a file as it is now, unless it was removed. */
    update: (transfer: Transfer) => {
      if (counted.has(transfer)) apply([transfer], true)
    },
    remove: (transfers: Iterable<Transfer>) => {
      apply(transfers, false)
    },
    /** Those of the files that have failed or were cancelled. It observes one number, and not each of the files. */
    incompleteOf: (transfers: readonly Transfer[]): readonly Transfer[] =>
      observed.incompleteChanges === 0
        ? []
        : transfers.filter((transfer) => isIncomplete(counted.get(transfer))),
  }
}
