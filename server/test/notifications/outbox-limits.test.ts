import { eventKinds, type EventBody, type EventKind } from '@svc/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { emailTarget, publish } from '../../src/core/notifications/events/publish.ts'
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

const fill = (count: number, fields: Partial<DeliveryRecord>) =>
  store.transaction(({ outbox }) =>
    outbox.add(Array.from({ length: count }, () => deliveryRecord(webhook, fields))),
  )

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

/** Publishes events to the email of the account only. */
async function publishByEmail(events: readonly Event[]): Promise<void> {
  const { userId } = webhook
  const emailEvents = eventKinds.join(' ')
  await store.notificationSettings.change(userId, { emailEvents, verifiedEmail: 'a@x.example' })
  await store.users.update(userId, { email: 'a@x.example' })
  await store.webhooks.disable(webhook.id)
  await store.transaction((transaction) =>
    publish(transaction, { ...publisher, hasEmail: true }, events, now),
  )
}

function eventOf(kind: EventKind): Event {
  const timestamp = new Date(now).toISOString()
  const bodyOf = (): EventBody => {
    switch (kind) {
      case 'limits.near':
        return { type: kind, timestamp, data: { usedSize: 1, maxUserSize: 1 } }
      case 'request.received':
        return { type: kind, timestamp, data: { requestID: 'r', uploadID: 'u', files: 1, size: 1 } }
      case 'upload.first_download':
      case 'upload.downloaded':
      case 'upload.expiring':
        return { type: kind, timestamp, data: { uploadID: 'u' } }
    }
  }
  return { userId: webhook.userId, body: bodyOf() }
}

const event = (): Event => eventOf('upload.downloaded')
const near = (): Event => eventOf('limits.near')

const count = (target = webhook.id) => store.outbox.countTo(target, 20_000)

test('a target whose messages all wait gets no more', async () => {
  await fill(1_999, {})
  await publishEvents([near(), near(), near()])
  expect([await count(), dropped]).toEqual([2_000, 2])
})

test('messages about downloads, which anyone can cause, leave room for others', async () => {
  await fill(1_499, {})
  await publishEvents([event(), event(), near()])
  expect([await count(), dropped]).toEqual([1_501, 1])
  await publishEvents([event()])
  expect([await count(), dropped]).toEqual([1_501, 2])
  await publishEvents(Array.from({ length: 500 }, near))
  expect([await count(), dropped]).toEqual([2_000, 3])
})

test('a target that is full leaves others of its account their room', async () => {
  const other = webhookRecord(webhook.userId)
  await store.webhooks.insert(other)
  await fill(2_000, {})
  await publishEvents([event(), near()])
  expect([await count(), await count(other.id), dropped]).toEqual([2_000, 2, 2])
})

test('the oldest finished messages make room', async () => {
  await fill(1_000, {})
  await fill(500, { dueAt: null, finishedAt: 5 })
  await publishEvents([event(), event()])
  expect([await count(), dropped]).toEqual([1_002, 0])
})

test('emails of the last hour stay, because they are counted', async () => {
  const done = { dueAt: null, finishedAt: 5, createdAt: now - 1 }
  await fill(1, { ...done, channel: 'email' })
  await fill(1_999, { ...done, finishedAt: 6 })
  await publishEvents([near()])
  expect(await count()).toBe(1_501)
  expect(await store.outbox.removeOldest(webhook.id, 20_000, now - 3_600_000)).toBe(1_499)
  expect(await store.outbox.removeOldest(webhook.id, 20_000, now)).toBe(1)
})

test('emails about downloads have a separate budget', async () => {
  await publishByEmail([...Array.from({ length: 12 }, event), near()])
  expect([await count(emailTarget(webhook.userId)), dropped]).toEqual([11, 2])
})

test.each(eventKinds)('an account gets at most ten emails within an hour about %s', async (kind) => {
  await publishByEmail(Array.from({ length: 12 }, () => eventOf(kind)))
  expect([await count(emailTarget(webhook.userId)), dropped]).toEqual([10, 2])
})

test('an event that several instances notice is published once', async () => {
  await Promise.all([1, 2, 3].map(() => publishEvents([{ ...event(), once: 'first u' }])))
  await publishEvents([{ ...event(), once: 'first v' }])
  expect(await count()).toBe(2)
})
