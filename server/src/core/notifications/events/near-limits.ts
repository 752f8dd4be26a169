import { effectiveLimits, unlimited, type UploadLimits } from '@svc/contract'
import type { Event } from './event.ts'
import type { Announcer } from './expiring-uploads.ts'

/** The share of a quota from which its user is notified. */
const share = 0.9

/** A user whose quota stays nearly full is notified once in this time, in ms. */
const periodMs = 7 * 86_400_000

const batch = 200

/**
 * Publishes the events of users whose files fill most of their quota. The webhook of the server receives those of users with
 * webhooks.
 */
export async function announceNearLimits(
  { store, publish, now }: Announcer,
  server: UploadLimits,
): Promise<void> {
  for (let after = ''; ;) {
    const users = await store.subscribers.quotas(after, batch)
    const events = users.flatMap(({ id, usedSize, maxUserSize }): Event[] => {
      const quota = effectiveLimits({ maxFileSize: 0, maxTTL: 0, maxUserSize }, server).maxUserSize
      if (quota === unlimited || usedSize < share * quota) return []
      return [
        {
          userId: id,
          once: `limits ${id} ${String(Math.floor(now / periodMs))}`,
          body: {
            type: 'limits.near',
            timestamp: new Date(now).toISOString(),
            data: { usedSize, maxUserSize: quota },
          },
        },
      ]
    })
    if (events.length > 0) await store.transaction((transaction) => publish(transaction, events))
    after = users.at(-1)?.id ?? ''
    if (users.length < batch) return
  }
}
