import { isUnfinished, type Transfer } from './transfer.ts'

/** How far some files are together. */
export interface Totals {
  /** Bytes of all. */
  readonly total: number
  /** Bytes that have gone; those of cancelled files count no more. */
  readonly sent: number
  /** Bytes that are still to be sent without anybody doing anything. */
  readonly unsent: number
  readonly sentFiles: number
  /** Something waits or is being sent. */
  readonly isActive: boolean
}

export function totalsOf(transfers: readonly Transfer[]): Totals {
  const sum = (of: (transfer: Transfer) => number) => transfers.reduce((total, one) => total + of(one), 0)
  return {
    total: sum(({ size }) => size),
    sent: sum(({ sent, state }) => (state.kind === 'cancelled' ? 0 : sent)),
    unsent: sum((one) => (isUnfinished(one) ? one.size - one.sent : 0)),
    sentFiles: transfers.filter(({ state }) => state.kind === 'sent').length,
    isActive: transfers.some(isUnfinished),
  }
}
