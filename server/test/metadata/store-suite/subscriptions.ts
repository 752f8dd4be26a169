import { expect, test } from 'vitest'
import type { WebhookRecord } from '../../../src/domain/notification-records.ts'
import type { ExpiringUpload } from '../../../src/metadata/notifications/subscribers.ts'
import type { MetadataStore } from '../../../src/metadata/store.ts'
import { uploadRecord } from '../../support/databases/records.ts'
import { userRecord } from '../../support/databases/user-records.ts'
import { webhookRecord } from './outbox.ts'

let made = 0

/** What users receive, and what is looked up for them. */
export function subscriptionsSuite(store: () => MetadataStore): void {
  const newWebhook = async (fields: Partial<WebhookRecord> = {}) => {
    const user = userRecord()
    await store().users.insert(user)
    const webhook = webhookRecord(user.id, fields)
    await store().webhooks.insert(webhook)
    return webhook
  }
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  const newId = (prefix: string) => prefix + String((made += 1)).padStart(16 - prefix.length, '0')

  test('quotas of users with subscriptions are found once, page by page', async () => {
    const [first, second] = [await newWebhook(), await newWebhook()]
    const [third, none] = [userRecord({ maxUserSize: 100 }), userRecord()]
    for (const user of [third, none]) await store().users.insert(user)
    await store().webhooks.insert(webhookRecord(first.userId))
    for (const userId of [second.userId, third.id])
      await store().notificationSettings.change(userId, { language: 'de' })
    const found: { readonly id: string; readonly maxUserSize: number }[] = []
    for (let after = ''; ;) {
      const page = await store().subscribers.quotas(after, 2)
      found.push(...page)
      after = page.at(-1)?.id ?? ''
      if (page.length === 0) break
    }
    const all = [first.userId, second.userId, third.id, none.id]
    const own = found.filter(({ id }) => all.includes(id))
    expect(new Map(own.map(({ id, maxUserSize }) => [id, maxUserSize]))).toEqual(
      new Map([
        [first.userId, 0],
        [second.userId, 0],
        [third.id, 100],
      ]),
    )
    expect(own).toHaveLength(3)
    expect(await store().subscribers.any()).toBe(true)
  })

  test('settings of notifications are changed one by one', async () => {
    const user = userRecord()
    await store().users.insert(user)
    const initial = { userId: user.id, emailEvents: '', verifiedEmail: null, language: '', listeningUntil: 0 }
    const settings = store().notificationSettings
    expect([await settings.find(user.id), await settings.ofUsers([user.id])]).toEqual([initial, []])
    await settings.change(user.id, { emailEvents: 'limits.near' })
    await settings.change(user.id, { verifiedEmail: 'é@x.example', listeningUntil: 1e12 })
    const changed = {
      ...initial,
      emailEvents: 'limits.near',
      verifiedEmail: 'é@x.example',
      listeningUntil: 1e12,
    }
    expect([await settings.find(user.id), await settings.ofUsers([user.id])]).toEqual([changed, [changed]])
    await store().users.replaceWithTombstone(user.id, 1)
    expect(await settings.ofUsers([user.id])).toEqual([])
  })

  test('the newest events of a user are kept, and read in pages, also those of one moment', async () => {
    const [user, other] = [userRecord(), userRecord()]
    for (const record of [user, other]) await store().users.insert(record)
    const event = (userId: string, createdAt: number) => ({
      userId,
      createdAt,
      id: newId('event'),
      type: 'limits.near',
      payload: '"é"',
    })
    const rows = [1, 2, 3, 3, 3, 4].map((time) => event(user.id, 1e9 + time))
    await store().events.add([...rows, event(other.id, 1e9)])
    const { events } = store()
    await events.trim(user.id, 5)
    const first = await events.since(user.id, 0, 3)
    expect(first).toEqual(rows.slice(1, 4))
    expect(await events.since(user.id, 0, 3, first.at(-1))).toEqual(rows.slice(4))
    expect(await events.since(user.id, 1e9 + 4, 3)).toEqual(rows.slice(5))
    expect(await events.usersSince([user.id, other.id], 1e9 + 1)).toEqual([user.id])
    await events.trim(user.id, 3)
    expect(await events.since(user.id, 0, 9)).toEqual(rows.slice(3))
    await events.removeBefore(1e9 + 4)
    expect(await events.since(user.id, 0, 9)).toEqual(rows.slice(5))
  })

  test('uploads that expire in a period are found once, page by page, also those of one moment', async () => {
    const { userId } = await newWebhook()
    const other = userRecord()
    await store().users.insert(other)
    const start = 5e11
    const rows = [10, 11, 11, 11, 12, 13].map((ms) => uploadRecord({ userId, expireAt: start + ms }))
    const unseen = [
      uploadRecord({ userId, expireAt: start + 11, deletedAt: 1 }),
      uploadRecord({ userId, expireAt: null }),
    ]
    const others = [
      uploadRecord({ userId: other.id, expireAt: start + 12 }),
      uploadRecord({ expireAt: start + 12 }),
    ]
    for (const row of [...rows, ...unseen, ...others]) await store().uploads.insert(row)
    const idsIn = async (ofAll: boolean) => {
      const found: ExpiringUpload[] = []
      for (;;) {
        const after = found.at(-1)
        const period = { from: start + 10, to: start + 12 }
        const page = await store().subscribers.expiring(period, { ...(after && { after }), limit: 2, ofAll })
        found.push(...page)
        if (page.length === 0) return idsOf(found).toSorted()
      }
    }
    const own = idsOf(rows.slice(1, 5))
    expect(await idsIn(false)).toEqual(own.toSorted())
    expect(await idsIn(true)).toEqual([...own, ...idsOf(others)].toSorted())
  })

  test('browsers are stored once, listed and removed with their messages', async () => {
    const user = userRecord()
    await store().users.insert(user)
    const browser = (createdAt: number) => ({
      id: newId('push'),
      userId: user.id,
      endpoint: `https://push.example/${'x'.repeat(1000)}`,
      p256dh: 'p'.repeat(87),
      auth: 'a'.repeat(22),
      events: 'limits.near',
      createdAt,
    })
    const [first, second, third] = [browser(1), browser(1), browser(1)]
    const { pushSubscriptions } = store()
    for (const row of [first, second, third]) await pushSubscriptions.put(row)
    await pushSubscriptions.put({ ...second, events: 'upload.downloaded' })
    expect(await pushSubscriptions.find(first.id)).toEqual(first)
    expect(await pushSubscriptions.list(user.id, 2)).toEqual([
      third,
      { ...second, events: 'upload.downloaded' },
    ])
    await pushSubscriptions.removeOldest(user.id, 2)
    expect(idsOf(await pushSubscriptions.ofUsers([user.id, 'local:none'])).toSorted()).toEqual([
      second.id,
      third.id,
    ])
    expect(await pushSubscriptions.remove('local:none', second.id)).toBe(false)
    expect(await pushSubscriptions.remove(user.id, second.id)).toBe(true)
    await store().users.remove(user.id)
    expect(await pushSubscriptions.find(third.id)).toBeUndefined()
  })
}
