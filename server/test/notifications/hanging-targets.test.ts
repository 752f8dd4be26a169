import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOutbox, type Outbox } from '../../src/core/notifications/outbox/outbox.ts'
import { requestOnce } from '../../src/core/notifications/outbox/send-message.ts'
import { defaultConfig } from '../../src/config/load.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { openMetadataStore, type OpenMetadataStore } from '../../src/metadata/store.ts'
import { deliveryRecord, webhookRecord } from '../metadata/store-suite/outbox.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { userRecord } from '../support/databases/user-records.ts'
import { startReceiver, type Receiver } from '../support/notifications/receiver.ts'
import { until } from '../support/until.ts'

const accounts = 8
const webhooks = 10
const messages = 40

let receiver: Receiver
let store: OpenMetadataStore
let outbox: Outbox
beforeEach(async () => {
  receiver = await startReceiver()
  const database = { driver: 'sqlite3', connectionString: ':memory:', fsync: false } as const
  store = await openMetadataStore(await openDialect(database, 'service', () => undefined))
  outbox = createOutbox({
    store,
    requestStore: store,
    clock: manualClock(),
    random: (into) => crypto.getRandomValues(into),
    log: { warn: () => undefined, info: () => undefined },
    config: { ...defaultConfig('/').notifications, privateNetworks: ['127.0.0.1/32'], timeoutMs: 15_000 },
    sendPush: () => Promise.reject(new Error('there are no push messages')),
  })
})
afterEach(async () => {
  await receiver.close()
  await outbox.stop()
  await store.close()
})

/** An account whose webhooks lead to a path, with messages for each. */
async function addAccount(path: string, targets: number, dueAt: number): Promise<void> {
  const user = userRecord()
  await store.users.insert(user)
  for (let at = 0; at < targets; at++) {
    const webhook = webhookRecord(user.id, { url: `${receiver.url}/${path}` })
    await store.webhooks.insert(webhook)
    const rows = Array.from({ length: messages }, () => deliveryRecord(webhook, { dueAt }))
    await store.transaction((transaction) => transaction.outbox.add(rows))
  }
}

test('the messages of an account arrive while the targets of eight others hang', async () => {
  receiver.respond = (response, { path }) => {
    if (path === '/quick') response.writeHead(204).end()
  }
  for (let at = 0; at < accounts; at++) await addAccount('hanging', webhooks, 1)
  // Due after all others.
  await addAccount('quick', 1, 2)
  outbox.start()
  const arrived = (path: string) => receiver.received.filter((request) => request.path === path).length
  await until('the quick target has all', () => arrived('/quick') === messages)
  // None of the first round of the others has ended.
  expect(outbox.counts()).toMatchObject({ retried: 0, given_up: 0 })
  expect(arrived('/hanging')).toBeGreaterThan(accounts)
})

test('a response without an end delivers its message, and its target counts as one that hangs', async () => {
  receiver.respond = (response) => {
    response.writeHead(200).write('…')
  }
  const options = { headers: {}, body: '{}', mayConnect: () => true, timeoutMs: 200 }
  const outcome = await requestOnce(new URL(receiver.url), options)
  expect(outcome).toMatchObject({ isDelivered: true, status: 200, error: null, isTimeout: true })
})
