import { payerOfUpload, type Payer } from '../../domain/access/payer.ts'
import type { Service } from '../service.ts'
import type { AnnouncedBytes } from './reserved-bytes.ts'

/** How long an announced file reserves space after its last part: a lost connection should not cost its place. */
const maxIdleMs = 10 * 60_000

/** How long an announced file reserves space while nothing of it arrives: senders begin at once. */
const maxEmptyMs = 60_000

/**
 * The bytes that are announced and have not arrived yet: those of active resumable files, and those that other
 * processes receive in one request. This process knows its own single-request uploads better.
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
  const announced = new Map<Payer | null, number>()
  for (const { bytes, ...upload } of pending) {
    const payer = isExemptFromBudgets(upload.address) ? null : payerOfUpload(upload)
    announced.set(payer, (announced.get(payer) ?? 0) + bytes)
  }
  return announced
}
