import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOutbox, type Outbox } from '../../src/core/notifications/outbox/outbox.ts'
import { defaultConfig } from '../../src/config/load.ts'
import type { DeliveryRecord } from '../../src/domain/notification-records.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { openMetadataStore, type MetadataStore, type OpenMetadataStore } from '../../src/metadata/store.ts'
import { deliveryRecord } from '../metadata/store-suite/outbox.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { userRecord } from '../support/databases/user-records.ts'
import { until } from '../support/until.ts'

/** Longer than the lease of a claim, and than the first pause after a failed attempt. */
const pastLease = 121_000

/** Longer than each pause between attempts. */
const pastPause = 27 * 60 * 60 * 1_000

const delivered = { isDelivered: true, isFinal: false, status: 200, error: null, isTimeout: false }
const unreachable = () => Promise.reject(new Error('database unreachable'))

const clock = manualClock()
let database: OpenMetadataStore
let outbox: Outbox
let isFailing: boolean
let failures: number
let sent: string[]

/** Reads the database first, as the senders of emails and push messages do. */
const send = ({ id }: DeliveryRecord) => {
  if (isFailing) return unreachable()
  sent.push(id)
  return Promise.resolve(delivered)
}

beforeEach(async () => {
  isFailing = true
  failures = 0
  sent = []
  const config = { driver: 'sqlite3', connectionString: ':memory:', fsync: false } as const
  database = await openMetadataStore(await openDialect(config, 'service', () => undefined))
  const { webhooks } = database
  const withIds: MetadataStore['webhooks']['withIds'] = (ids) =>
    isFailing ? unreachable() : webhooks.withIds(ids)
  outbox = createOutbox({
    store: { ...database, webhooks: { ...webhooks, withIds } },
    requestStore: database,
    clock,
    random: (into) => crypto.getRandomValues(into),
    log: { warn: () => (failures += 1), info: () => undefined },
    config: defaultConfig('/').notifications,
    sendEmail: send,
    sendPush: send,
  })
})
afterEach(async () => {
  await outbox.stop()
  await database.close()
})

/** Adds messages of one account, each to a separate target. */
async function addMessages(count: number, channel: DeliveryRecord['channel']): Promise<void> {
  const user = userRecord()
  await database.users.insert(user)
  const rows = Array.from({ length: count }, (_, at) =>
    deliveryRecord({ id: `${channel} ${String(at)}`, userId: user.id }, { channel, dueAt: 1 }),
  )
  await database.transaction((transaction) => transaction.outbox.add(rows))
}

test.each(['email', 'push'] as const)(
  'messages by %s whose attempts fail with the database are sent later',
  async (channel) => {
    await addMessages(40, channel)
    outbox.start()
    await until('all attempts have failed', () => failures === 40)
    isFailing = false
    clock.advance(pastLease)
    await until('all messages are sent', () => sent.length === 40)
    expect(new Set(sent).size).toBe(40)
  },
)

test('a message whose attempts all end with an unexpected error is given up', async () => {
  await addMessages(1, 'email')
  outbox.start()
  for (let attempts = 1; attempts <= 10; attempts += 1) {
    await until(`attempt ${String(attempts)} has failed`, () => failures === attempts)
    await until('the result is recorded', async () => (await database.outbox.dueSince(clock.now())) === null)
    clock.advance(pastPause)
  }
  const { results } = await database.outbox.page('email 0', { limit: 1, order: 'asc' })
  expect(results[0]).toMatchObject({ attempts: 10, dueAt: null, delivered: 0, error: 'internal error' })
})

test('messages whose webhooks cannot be read occupy no slots', async () => {
  await addMessages(40, 'push')
  await addMessages(1, 'webhook')
  outbox.start()
  await until('the webhooks were not read', () => failures > 0)
  await outbox.stop()
  isFailing = false
  outbox.start()
  clock.advance(pastLease)
  await until('all messages are sent', () => sent.length === 40)
  expect(new Set(sent).size).toBe(40)
})
