import { readStored, tabStorage, writeStored } from '../../base/browser/storage.ts'
import { applicationPath } from '../../sent/store/application-path.ts'
import type { SentReceipt } from './receipt.ts'

/** What a tab has sent to a request, so that the receipts are there after a reload. */
export interface KeptReceipts {
  /** Of the upload on the page. */
  readonly latest?: SentReceipt | undefined
  /** Of those before it, the newest first. */
  readonly earlier: readonly SentReceipt[]
}

const keyOf = (requestID: string) => `svc-receipts ${applicationPath()} ${requestID}`
const none: KeptReceipts = { earlier: [] }

/** What this tab has kept. */
export function keptReceipts(requestID: string): KeptReceipts {
  try {
    return (JSON.parse(readStored(tabStorage, keyOf(requestID)) ?? 'null') as KeptReceipts | null) ?? none
  } catch {
    return none
  }
}

/** Keeps receipts until the tab is closed. */
export const keepReceipts = (requestID: string, kept: KeptReceipts): void =>
  writeStored(tabStorage, keyOf(requestID), JSON.stringify(kept))
