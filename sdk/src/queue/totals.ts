import { isUnfinished, type Transfer } from './transfer.ts'

/** The progress of several files together. */
export interface Totals {
  /** Bytes of all files. */
  readonly total: number
  /** Bytes sent, without those of cancelled files. */
  readonly sent: number
  /** Bytes still to send, without those of files that need a retry or are paused. */
  readonly unsent: number
  readonly sentFiles: number
  /** Whether files wait or are being sent. */
  readonly isActive: boolean
}

export function totalsOf(transfers: readonly Transfer[]): Totals {
  const sum = (bytesOf: (transfer: Transfer) => number) =>
    transfers.reduce((total, transfer) => total + bytesOf(transfer), 0)
  return {
    total: sum(({ size }) => size),
    sent: sum(({ sent, state }) => (state.kind === 'cancelled' ? 0 : sent)),
    unsent: sum((transfer) => (isUnfinished(transfer) ? transfer.size - transfer.sent : 0)),
    sentFiles: transfers.filter(({ state }) => state.kind === 'sent').length,
    isActive: transfers.some(isUnfinished),
  }
}
