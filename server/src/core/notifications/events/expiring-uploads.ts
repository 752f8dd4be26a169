import type { ExpiringUpload } from '../../../metadata/notifications/subscribers.ts'
import type { MetadataStore } from '../../../metadata/store.ts'
import type { Event } from './event.ts'

/** How long before its end an upload is announced, in ms. Uploads with a shorter time to live are not. */
export const announcedBeforeMs = 24 * 3_600_000

/** The setting that says up to which expiry uploads have been announced, in ms. */
const settingKey = 'announcedExpiries'

const batch = 200

export interface Announcer {
  readonly store: MetadataStore
  readonly publish: (transaction: MetadataStore, events: readonly Event[]) => Promise<void>
  readonly now: number
  /** Whether the server has a webhook, which receives all events. */
  readonly forServer: boolean
}

/**
 * Publishes the events of uploads that expire within a day. Each call continues where the last one of any instance ended. Two
 * instances that do the same work publish each event once.
 */
export async function announceExpiringUploads({ store, publish, now, forServer }: Announcer): Promise<void> {
  const to = now + announcedBeforeMs
  const known = await store.settings.findOrInsert(settingKey, String(to))
  // After a long pause, uploads that have expired since are not announced.
  const period = { from: Math.max(Number(known), now), to }
  if (period.from >= to) return
  if (forServer || (await store.subscribers.any()))
    for (let after: ExpiringUpload | undefined; ;) {
      const page = { ...(after && { after }), limit: batch, ofAll: forServer }
      const uploads = await store.subscribers.expiring(period, page)
      if (uploads.length > 0)
        await store.transaction((transaction) => publish(transaction, uploads.map(eventOf(now))))
      after = uploads.at(-1)
      if (uploads.length < batch) break
    }
  await store.settings.replace(settingKey, known, String(to))
}

const eventOf =
  (now: number) =>
  ({ id, userId, expireAt }: ExpiringUpload): Event => ({
    userId,
    once: `expiring ${id} ${String(expireAt)}`,
    body: {
      type: 'upload.expiring',
      timestamp: new Date(now).toISOString(),
      data: { uploadID: id, expireAt: new Date(expireAt).toISOString() },
    },
  })
