import { expect, test } from 'vitest'
import {
  linkMailEvent,
  type DeliveryRecord,
  type WebhookRecord,
} from '../../../src/domain/notification-records.ts'
import type { DueExceptions, Transport } from '../../../src/metadata/notifications/outbox.ts'
import type { MetadataStore } from '../../../src/metadata/store.ts'
import { userRecord } from '../../support/databases/user-records.ts'

let made = 0
const newId = (prefix: string) => prefix + String((made += 1)).padStart(16 - prefix.length, '0')

export const webhookRecord = (userId: string, fields: Partial<WebhookRecord> = {}): WebhookRecord => ({
  id: newId('hook'),
  userId,
  url: 'https://hooks.example/',
  events: 'upload.downloaded limits.near',
  description: 'é',
  enabled: 1,
  secret: 'whsec_x',
  previousSecret: null,
  previousUntil: null,
  createdAt: 1,
  ...fields,
})

export const deliveryRecord = (
  { id, userId }: Pick<WebhookRecord, 'id' | 'userId'>,
  fields: Partial<DeliveryRecord> = {},
): DeliveryRecord => ({
  id: newId('msg'),
  userId,
  channel: 'webhook',
  target: id,
  event: 'upload.downloaded',
  payload: '{"data":"é🗿"}',
  attempts: 0,
  createdAt: 1_000,
  dueAt: 1_000,
  claim: null,
  responseStatus: null,
  error: null,
  delivered: 0,
  finishedAt: null,
  ...fields,
})

/** Webhooks, and the messages to them. */
export function outboxSuite(store: () => MetadataStore): void {
  const newWebhook = async (fields: Partial<WebhookRecord> = {}) => {
    const user = userRecord()
    await store().users.insert(user)
    const webhook = webhookRecord(user.id, fields)
    await store().webhooks.insert(webhook)
    return webhook
  }
  const addDeliveries = async (webhook: WebhookRecord, deliveries: readonly Partial<DeliveryRecord>[]) => {
    const rows = deliveries.map((fields) => deliveryRecord(webhook, fields))
    await store().transaction(({ outbox }) => outbox.add(rows))
    return rows
  }
  const claim = (ids: readonly string[], name: string, now: number) =>
    store().transaction(({ outbox }) => outbox.claim(ids, { claim: name, now, until: now + 100 }))
  const rowOf = ({ id, target }: DeliveryRecord) => store().outbox.find(id, target)
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  /** The due messages of a test, whose times no other test uses. */
  const dueOf = async (
    { id }: Pick<WebhookRecord, 'id'>,
    now: number,
    {
      targets = [],
      accounts = [],
      transport = 'http',
    }: Partial<DueExceptions & { readonly transport: Transport }> = {},
  ) => {
    const due = await store().outbox.due(transport, now, { targets, accounts }, 1_000)
    return idsOf(due.filter(({ target }) => target === id))
  }

  test('webhooks and messages are stored unchanged', async () => {
    const webhook = await newWebhook({ previousSecret: 'whsec_old', previousUntil: 5 })
    expect(await store().webhooks.find(webhook.userId, webhook.id)).toEqual(webhook)
    expect(await store().webhooks.find('local:other', webhook.id)).toBeUndefined()
    const [row] = await addDeliveries(webhook, [{ error: 'e', responseStatus: 500, attempts: 2 }])
    expect(row && (await rowOf(row))).toEqual(row)
  })

  test('a message whose id is known is added once', async () => {
    const webhook = await newWebhook()
    const [row] = await addDeliveries(webhook, [{}])
    if (row === undefined) return
    await store().outbox.add([{ ...row, payload: 'other' }, deliveryRecord(webhook)])
    expect((await rowOf(row))?.payload).toBe(row.payload)
    expect((await store().outbox.page(webhook.id, { limit: 9, order: 'asc' })).total).toBe(2)
  })

  test('messages that are due are found, the longest due first, except those of some targets and accounts', async () => {
    const webhook = await newWebhook()
    const rows = await addDeliveries(webhook, [
      { dueAt: 30 },
      { dueAt: 10 },
      { dueAt: 41 },
      { dueAt: null, finishedAt: 1 },
    ])
    const [a, b] = idsOf(rows)
    expect(await dueOf(webhook, 40)).toEqual([b, a])
    expect(await dueOf(webhook, 40, { targets: [webhook.id] })).toEqual([])
    expect(await dueOf(webhook, 40, { accounts: [webhook.userId] })).toEqual([])
    const toServer = deliveryRecord(
      { id: 'server', userId: '' },
      { userId: null, channel: 'server', dueAt: 20 },
    )
    await store().outbox.add([toServer])
    expect(await dueOf({ id: 'server' }, 40, { accounts: [webhook.userId] })).toEqual([toServer.id])
    await claim([toServer.id], 'clear', 1e12)
    const [mail] = await addDeliveries(webhook, [{ channel: 'email', dueAt: 20 }])
    expect(await dueOf(webhook, 40)).toEqual([b, a])
    expect(await dueOf(webhook, 40, { transport: 'smtp' })).toEqual([mail?.id])
    expect(await dueOf(webhook, 40, { transport: 'smtp', accounts: [webhook.userId] })).toEqual([])
    await claim([mail?.id ?? ''], 'clear', 1e12)
    expect(await store().outbox.dueSince(9)).toBeNull()
    expect(await store().outbox.dueSince(40)).toBe(10)
    await claim(idsOf(rows), 'clear', 1e12)
  })

  test('of two instances, one claims a message, and the other one after the lease', async () => {
    const webhook = await newWebhook()
    const rows = await addDeliveries(
      webhook,
      Array.from({ length: 100 }, () => ({ dueAt: 1 })),
    )
    const ids = idsOf(rows)
    const parts = await Promise.all([claim(ids, 'one', 5), claim(ids.toReversed(), 'two', 5)])
    expect(idsOf(parts.flat()).toSorted()).toEqual(ids.toSorted())
    expect(await claim(ids, 'three', 104)).toEqual([])
    expect(await dueOf(webhook, 104)).toEqual([])
    expect(await claim(ids, 'three', 105)).toHaveLength(100)
  })

  test('the content of a link that was sent by email leaves its row with the last attempt', async () => {
    const webhook = await newWebhook()
    const mail = { channel: 'email', event: linkMailEvent, payload: '{"to":"eve@x.example"}' } as const
    const [sent, refused, retried, event] = await addDeliveries(webhook, [mail, mail, mail, {}])
    if (sent === undefined || refused === undefined || retried === undefined || event === undefined) return
    await claim(idsOf([sent, refused, retried, event]), 'mine', 1_100)
    const { outbox } = store()
    await outbox.recordDelivered([sent.id, event.id], { claims: ['mine'], now: 7, responseStatus: 250 })
    const failed = { claim: 'mine', attempts: 1, delivered: 0, responseStatus: 550, error: 'e' } as const
    await outbox.recordAttempt({ ...failed, id: refused.id, dueAt: null, finishedAt: 7 })
    await outbox.recordAttempt({ ...failed, id: retried.id, dueAt: 1e12, finishedAt: null })
    const payloads = await Promise.all(
      [sent, refused, retried, event].map(async (row) => (await rowOf(row))?.payload),
    )
    expect(payloads).toEqual(['{}', '{}', mail.payload, event.payload])
  })

  test('a result is recorded once, by the instance that has the claim', async () => {
    const webhook = await newWebhook()
    const [first, second] = await addDeliveries(webhook, [{}, {}])
    if (first === undefined || second === undefined) return
    await claim([first.id, second.id], 'lost', 1_000)
    await claim([first.id, second.id], 'mine', 1_100)
    const record = (name: string) =>
      store().outbox.recordDelivered([first.id, second.id], { claims: [name], now: 7, responseStatus: 204 })
    expect([await record('lost'), await record('mine'), await record('mine')]).toEqual([0, 2, 0])
    expect(await rowOf(first)).toEqual({
      ...first,
      attempts: 1,
      dueAt: null,
      responseStatus: 204,
      delivered: 1,
      finishedAt: 7,
    })
  })

  test('a failed attempt is due again, or given up', async () => {
    const webhook = await newWebhook()
    const [row] = await addDeliveries(webhook, [{}])
    if (row === undefined) return
    const result = {
      id: row.id,
      claim: 'mine',
      attempts: 1,
      dueAt: 5_000,
      delivered: 0,
      responseStatus: null,
      error: 'é'.repeat(256),
      finishedAt: null,
    } as const
    expect(await store().outbox.recordAttempt(result)).toBe(false)
    await claim([row.id], 'mine', 1_000)
    expect(await store().outbox.recordAttempt(result)).toBe(true)
    expect(await rowOf(row)).toMatchObject({ attempts: 1, dueAt: 5_000, claim: null, error: result.error })
    await claim([row.id], 'mine', 5_000)
    expect(await store().outbox.recordAttempt({ ...result, attempts: 2, dueAt: null, finishedAt: 9 })).toBe(
      true,
    )
    expect(await dueOf(webhook, 1e12)).toEqual([])
    expect(await store().outbox.replay(row.id, webhook.id, 20)).toBe(true)
    expect(await store().outbox.replay(row.id, 'other', 20)).toBe(false)
    expect(await rowOf(row)).toMatchObject({ attempts: 0, dueAt: 20, finishedAt: null, error: null })
    await claim([row.id], 'clear', 1e12)
  })

  test('finished messages are deleted, the oldest first, waiting ones are not', async () => {
    const webhook = await newWebhook()
    const done = [40, 20, 30].map((finishedAt) => ({ finishedAt, dueAt: null }))
    const rows = await addDeliveries(webhook, [...done, {}])
    const { outbox } = store()
    expect(await outbox.countTo(webhook.id, 3)).toBe(3)
    expect(await outbox.removeOldest(webhook.id, 1, 0)).toBe(1)
    expect(await Promise.all(rows.map(async (row) => (await rowOf(row)) !== undefined))).toEqual([
      true,
      false,
      true,
      true,
    ])
    await outbox.removeFinished(30, 100)
    expect(await outbox.countTo(webhook.id, 100)).toBe(2)
    expect(await outbox.removeOldest(webhook.id, 100, 0)).toBe(1)
    expect(await outbox.removeOldest(webhook.id, 100, 0)).toBe(0)
    await claim(idsOf(rows), 'clear', 1e12)
  })

  test('webhooks and messages go with their account, and messages with their webhook', async () => {
    const [removed, tombstone, unhooked] = [await newWebhook(), await newWebhook(), await newWebhook()]
    for (const webhook of [removed, tombstone, unhooked]) await addDeliveries(webhook, [{}, {}])
    await store().users.remove(removed.userId)
    await store().users.replaceWithTombstone(tombstone.userId, 5)
    expect(await store().webhooks.remove(unhooked.userId, unhooked.id)).toBe(true)
    for (const { userId, id } of [removed, tombstone, unhooked]) {
      expect(await store().webhooks.list(userId, 10)).toEqual([])
      expect((await store().outbox.page(id, { limit: 9, order: 'asc' })).total).toBe(0)
    }
  })

  test('the enabled webhooks of some users are found', async () => {
    const [enabled, disabled] = [await newWebhook(), await newWebhook({ enabled: 0 })]
    const { id, userId, events } = enabled
    expect(await store().webhooks.enabledOf([userId, disabled.userId, 'local:none'])).toEqual([
      { id, userId, events },
    ])
    await store().webhooks.disable(id)
    expect(await store().webhooks.enabledOf([userId])).toEqual([])
  })

  test('messages to the webhook of the server belong to no account', async () => {
    const before = await store().outbox.countTo('server', 1_000)
    const row = deliveryRecord({ id: 'server', userId: '' }, { userId: null, channel: 'server', dueAt: 1e12 })
    await store().outbox.add([row])
    expect(await store().outbox.countTo('server', 1_000)).toBe(before + 1)
  })
}
