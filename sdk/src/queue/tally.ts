import type { Totals } from './totals.ts'
import { unobserved, type Observe, type Transfer, type TransferState } from './transfer.ts'

/** The progress of a queue, and the numbers of its files by their state. */
export interface Tally extends Totals {
  readonly files: number
  readonly sendingFiles: number
  /** Of those that are being sent, the files without a connection. */
  readonly interruptedFiles: number
  readonly pausedFiles: number
  readonly failedFiles: number
  readonly cancelledFiles: number
}

/** What a file adds to a tally. */
interface Entry {
  /** Bytes. */
  readonly size: number
  /** Bytes. */
  readonly sent: number
  readonly interrupted: boolean
  readonly kind: TransferState['kind']
}

const empty: Tally = {
  total: 0,
  sent: 0,
  unsent: 0,
  sentFiles: 0,
  isActive: false,
  files: 0,
  sendingFiles: 0,
  interruptedFiles: 0,
  pausedFiles: 0,
  failedFiles: 0,
  cancelledFiles: 0,
}

const isUnfinished = ({ kind }: Entry) => kind === 'waiting' || kind === 'sending'
const isIncomplete = (entry: Entry | undefined) => entry?.kind === 'failed' || entry?.kind === 'cancelled'

/** @param sign 1 adds the file, -1 removes it */
function changed(tally: Tally, entry: Entry, sign: 1 | -1): Tally {
  const { size, sent, interrupted, kind } = entry
  const ofKind = (counted: Entry['kind']) => (kind === counted ? sign : 0)
  const files = tally.files + sign
  const sentFiles = tally.sentFiles + ofKind('sent')
  const pausedFiles = tally.pausedFiles + ofKind('paused')
  const failedFiles = tally.failedFiles + ofKind('failed')
  const cancelledFiles = tally.cancelledFiles + ofKind('cancelled')
  return {
    total: tally.total + sign * size,
    sent: tally.sent + (kind === 'cancelled' ? 0 : sign * sent),
    unsent: tally.unsent + (isUnfinished(entry) ? sign * (size - sent) : 0),
    sentFiles,
    isActive: files > sentFiles + pausedFiles + failedFiles + cancelledFiles,
    files,
    sendingFiles: tally.sendingFiles + ofKind('sending'),
    interruptedFiles: tally.interruptedFiles + (interrupted ? ofKind('sending') : 0),
    pausedFiles,
    failedFiles,
    cancelledFiles,
  }
}

/** Counts the files of a queue as they change: with thousands of files, going through all of them at each change would block a page. */
export function createTally(observe: Observe = unobserved) {
  const entries = new Map<Transfer, Entry>()
  const observed = observe({ tally: empty, incompleteChanges: 0 })

  /** Entries of files, as they were and as they are now; undefined for a file that is not counted. */
  type Change = readonly [before: Entry | undefined, now: Entry | undefined]
  const apply = (changes: readonly Change[]) => {
    let { tally } = observed
    for (const [before, now] of changes) {
      if (before !== undefined) tally = changed(tally, before, -1)
      if (now !== undefined) tally = changed(tally, now, 1)
    }
    observed.tally = tally
    if (changes.flat().some(isIncomplete)) observed.incompleteChanges += 1
  }
  const count = (transfer: Transfer): Change => {
    const before = entries.get(transfer)
    const { size, sent, interrupted, state } = transfer
    const now = { size, sent, interrupted, kind: state.kind }
    entries.set(transfer, now)
    return [before, now]
  }
  return {
    current: (): Tally => observed.tally,
    add: (transfers: readonly Transfer[]) => {
      apply(transfers.map(count))
    },
    /** Counts a file as it is now, unless it was removed. */
    update: (transfer: Transfer) => {
      if (entries.has(transfer)) apply([count(transfer)])
    },
    remove: (transfers: Iterable<Transfer>) => {
      const changes = Array.from(transfers, (transfer): Change => [entries.get(transfer), undefined])
      for (const transfer of transfers) entries.delete(transfer)
      apply(changes)
    },
    /** Those of the files that have failed or were cancelled. It observes one number, and not each of the files. */
    incompleteOf: (transfers: readonly Transfer[]): readonly Transfer[] =>
      observed.incompleteChanges === 0
        ? []
        : transfers.filter((transfer) => isIncomplete(entries.get(transfer))),
  }
}
