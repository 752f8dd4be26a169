import type { Arrival } from '../../activity/arrival-log.ts'
import type { MetadataStore } from '../../../metadata/store.ts'
import type { Event } from './event.ts'
import { subscriptionsOf, type SubscriptionTables } from './subscriptions.ts'

/**
 * The events of files that have arrived for upload requests. Those of accounts that receive no events cost four queries for all
 * of them.
 * @param forServer whether the server receives all events
 */
export async function receivedEvents(
  transaction: Pick<MetadataStore, 'files' | 'uploads'> & SubscriptionTables,
  arrivals: readonly Arrival[],
  { forServer, now }: { readonly forServer: boolean; readonly now: number },
): Promise<Event[]> {
  const owners = await transaction.uploads.ownersOf(arrivals.map(({ uploadId }) => uploadId))
  const subscribers = await subscriptionsOf(transaction, [...owners.values()], now)
  const events: Event[] = []
  for (const { uploadId, requestId, arrivedAt, period } of arrivals) {
    const userId = owners.get(uploadId)
    if (userId === undefined || !(forServer || (userId !== null && subscribers.has(userId)))) continue
    const { files, size } = await transaction.files.countStored(uploadId)
    // The sender has taken them back.
    if (files === 0) continue
    events.push({
      userId,
      once: `received ${uploadId} ${String(period)}`,
      body: {
        type: 'request.received',
        timestamp: new Date(arrivedAt).toISOString(),
        data: { requestID: requestId, uploadID: uploadId, files, size },
      },
    })
  }
  return events
}
