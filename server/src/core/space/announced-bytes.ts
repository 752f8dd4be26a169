import { budgetKeyOfUpload, type BudgetKey } from '../../domain/access/budget-key.ts'
import type { Service } from '../service.ts'
import type { AnnouncedBytes } from './announced-sums.ts'

/** How long an announced file withholds space after its last part, so that a client can reconnect. */
const maxIdleMs = 10 * 60_000

/** How long an announced file withholds space before its first byte: clients send it without delay. */
const maxEmptyMs = 60_000

/**
 * The bytes that are announced and have not arrived yet: of active resumable files, and of files that other instances
 * receive in one request. This instance counts its single-request uploads in memory.
 */
export async function announcedBytes({
  store,
  clock,
  config,
  instance,
  isExemptFromBudgets,
}: Pick<
  Service,
  'store' | 'clock' | 'config' | 'instance' | 'isExemptFromBudgets'
>): Promise<AnnouncedBytes> {
  const now = clock.now()
  const pending = await store.resumables.pendingBytes({
    exceptInstance: instance,
    announcedSince: now - maxEmptyMs,
    progressSince: now - maxIdleMs,
    expireAfter: config.resumableTTL * 1000,
  })
  const announced = new Map<BudgetKey | null, number>()
  for (const { bytes, ...upload } of pending) {
    const budgetKey = isExemptFromBudgets(upload.address) ? null : budgetKeyOfUpload(upload)
    announced.set(budgetKey, (announced.get(budgetKey) ?? 0) + bytes)
  }
  return announced
}
