import type { OwnedDownload } from '../../../metadata/uploads/downloads.ts'
import type { MetadataStore } from '../../../metadata/store.ts'
import type { Event } from './event.ts'
import { subscriptionsOf, type SubscriptionTables } from './subscriptions.ts'

/**
 * The events of downloads that a transaction has just added. Downloads of accounts that receive no events cost three
 * queries for all of them.
 * @param forServer whether the server receives all events
 */
export async function downloadEvents(
  transaction: SubscriptionTables & Pick<MetadataStore, 'downloads'>,
  added: readonly OwnedDownload[],
  { forServer, now }: { readonly forServer: boolean; readonly now: number },
): Promise<Event[]> {
  const subscribers = await subscriptionsOf(
    transaction,
    added.map(({ userId }) => userId),
    now,
  )
  const reported = added.filter(
    ({ userId, result }) =>
      result !== 'broken' && (forServer || (userId !== null && subscribers.has(userId))),
  )
  const events: Event[] = []
  for (const [uploadId, downloads] of Map.groupBy(reported, (download) => download.uploadId)) {
    const first = await transaction.downloads.first(uploadId)
    for (const download of downloads) {
      if (download.id === first?.id)
        events.push({ ...eventOf('upload.first_download', download), once: `first ${uploadId}` })
      if (download.result !== 'part') events.push(eventOf('upload.downloaded', download))
    }
  }
  return events
}

const eventOf = (
  type: 'upload.first_download' | 'upload.downloaded',
  { userId, uploadId, fileId, endedAt, result, bytes }: OwnedDownload,
): Event => ({
  userId,
  body: {
    type,
    timestamp: new Date(endedAt).toISOString(),
    data: {
      uploadID: uploadId,
      ...(fileId !== null && { fileID: fileId }),
      result,
      // The number of bytes that an object store sends is unknown.
      ...(result !== 'direct' && { bytes }),
    },
  },
})
