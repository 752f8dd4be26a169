import { readStored, tabStorage, writeStored } from '../../base/storage.ts'
import { pagePath } from '../../sent/store/page-path.ts'
import type { SentReceipt } from './receipt.ts'

const keyOf = (requestID: string) => `svc-receipt ${pagePath()} ${requestID}`

function isReceipt(value: unknown): value is SentReceipt {
  if (typeof value !== 'object' || value === null) return false
  const { title, id, createdAt, files } = value as Record<string, unknown>
  return (
    [title, id, createdAt].every((one) => typeof one === 'string') &&
    Array.isArray(files) &&
    files.every((one) => Array.isArray(one))
  )
}

/** What this tab has sent to a request, so that the receipt is there after a reload; undefined for nothing. */
export function keptReceipt(requestID: string): SentReceipt | undefined {
  try {
    const value: unknown = JSON.parse(readStored(tabStorage, keyOf(requestID)) ?? 'null')
    return isReceipt(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Keeps a receipt until the tab is closed; undefined removes it. */
export function keepReceipt(requestID: string, receipt: SentReceipt | undefined): void {
  writeStored(tabStorage, keyOf(requestID), receipt === undefined ? null : JSON.stringify(receipt))
}
