import { readStored, tabStorage, writeStored } from '../../base/storage.ts'
import { pagePath } from '../../sent/store/page-path.ts'
import type { SentReceipt } from './receipt.ts'

const keyOf = (requestID: string) => `svc-receipt ${pagePath()} ${requestID}`

/** What this tab has sent to a request, so that the receipt is there after a reload; undefined for nothing. */
export function keptReceipt(requestID: string): SentReceipt | undefined {
  try {
    return (JSON.parse(readStored(tabStorage, keyOf(requestID)) ?? 'null') as SentReceipt | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a receipt until the tab is closed; undefined removes it. */
export function keepReceipt(requestID: string, receipt: SentReceipt | undefined): void {
  writeStored(tabStorage, keyOf(requestID), receipt === undefined ? null : JSON.stringify(receipt))
}
