import { afterEach, beforeEach, expect, test } from 'vitest'
import { publish } from '../../src/core/notifications/events/publish.ts'
import type { Event } from '../../src/core/notifications/events/event.ts'
import type { DeliveryRecord, WebhookRecord } from '../../src/domain/notification-records.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { openMetadataStore, type OpenMetadataStore } from '../../src/metadata/store.ts'
import { deliveryRecord, webhookRecord } from '../metadata/store-suite/outbox.ts'
import { userRecord } from '../support/databases/user-records.ts'

const now = 1_000_000

let store: OpenMetadataStore
let webhook: WebhookRecord
let dropped: number
beforeEach(async () => {
  const database = { driver: 'sqlite3', connectionString: ':memory:', fsync: false } as const
  store = await openMetadataStore(await openDialect(database, 'service', () => undefined))
  const user = userRecord()
  await store.users.insert(user)
  webhook = webhookRecord(user.id)
  await store.webhooks.insert(webhook)
  dropped = 0
})
afterEach(() => store.close())

const fill = (count: number, given: Partial<DeliveryRecord>) =>
  store.transaction(({ outbox }) =>
    outbox.add(Array.from({ length: count }, () => deliveryRecord(webhook, given))),
  )

const event = (): Event => ({
  userId: webhook.userId,
  body: { type: 'upload.downloaded', timestamp: new Date(now).toISOString(), data: { uploadID: 'u' } },
})

const publisher = {
  random: (into: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(into),
  hasServerWebhook: false,
  hasEmail: false,
  onDropped: (count: number) => {
    dropped += count
  },
}

const publishEvents = (events: readonly Event[]) =>
  store.transaction((transaction) => publish(transaction, publisher, events, now))

const count = () => store.outbox.countOf(webhook.userId, 20_000)

test('an account whose messages all wait gets no more', async () => {
  await fill(9_999, {})
  await publishEvents([event(), event(), event()])
  expect([await count(), dropped]).toEqual([10_000, 2])
})

test('the oldest finished messages make room', async () => {
  await fill(9_000, {})
  await fill(1_000, { dueAt: null, finishedAt: 5 })
  await publishEvents([event(), event()])
  expect([await count(), dropped]).toEqual([9_502, 0])
})

test('e-mails of the last hour stay, because they are counted', async () => {
  const done = { dueAt: null, finishedAt: 5, createdAt: now - 1 }
  await fill(1, { ...done, channel: 'email' })
  await fill(9_999, { ...done, finishedAt: 6 })
  await publishEvents([event()])
  expect(await store.outbox.countOf(webhook.userId, 20_000)).toBe(9_501)
  expect(await store.outbox.removeOldest(webhook.userId, 20_000, now - 3_600_000)).toBe(9_499)
  expect(await store.outbox.removeOldest(webhook.userId, 20_000, now)).toBe(1)
})

test('e-mails about downloads have a separate budget', async () => {
  const { userId } = webhook
  const emailEvents = 'upload.downloaded limits.near'
  await store.notificationSettings.change(userId, { emailEvents, verifiedEmail: 'a@x.example' })
  await store.users.update(userId, { email: 'a@x.example' })
  const near: Event = {
    userId,
    body: {
      type: 'limits.near',
      timestamp: new Date(now).toISOString(),
      data: { usedSize: 1, maxUserSize: 1 },
    },
  }
  await store.webhooks.disable(webhook.id)
  const events = [...Array.from({ length: 12 }, event), near]
  await store.transaction((transaction) =>
    publish(transaction, { ...publisher, hasEmail: true }, events, now),
  )
  expect([await count(), dropped]).toEqual([11, 2])
})

test('an event that several instances notice is published once', async () => {
  await Promise.all([1, 2, 3].map(() => publishEvents([{ ...event(), once: 'first u' }])))
  await publishEvents([{ ...event(), once: 'first v' }])
  expect(await count()).toBe(2)
})
