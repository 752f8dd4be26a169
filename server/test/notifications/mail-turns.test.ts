import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOutbox, type Outbox } from '../../src/core/notifications/outbox/outbox.ts'
import { defaultConfig } from '../../src/config/load.ts'
import type { DeliveryRecord } from '../../src/domain/notification-records.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { openMetadataStore, type OpenMetadataStore } from '../../src/metadata/store.ts'
import { deliveryRecord } from '../metadata/store-suite/outbox.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { userRecord } from '../support/databases/user-records.ts'
import { until } from '../support/until.ts'

const delivered = { isDelivered: true, isFinal: false, status: 250, error: null, isTimeout: false }

let store: OpenMetadataStore
let outbox: Outbox
/** The emails that the mail server has not accepted yet, in the order in which they began. */
let sending: { readonly userId: string | null; readonly accept: () => void }[]
/** The accounts of all emails, in the order in which they began. */
let begun: (string | null)[]
let mostAtOnce: number
let isEnding: boolean

function send({ userId }: DeliveryRecord) {
  if (isEnding) return Promise.resolve(delivered)
  const { promise, resolve } = Promise.withResolvers<typeof delivered>()
  const message = {
    userId,
    accept: () => {
      sending = sending.filter((other) => other !== message)
      resolve(delivered)
    },
  }
  sending.push(message)
  begun.push(userId)
  mostAtOnce = Math.max(mostAtOnce, sending.length)
  return promise
}

beforeEach(async () => {
  sending = []
  begun = []
  mostAtOnce = 0
  isEnding = false
  const database = { driver: 'sqlite3', connectionString: ':memory:', fsync: false } as const
  store = await openMetadataStore(await openDialect(database, 'service', () => undefined))
  outbox = createOutbox({
    store,
    requestStore: store,
    clock: manualClock(),
    random: (into) => crypto.getRandomValues(into),
    log: { warn: () => undefined, info: () => undefined },
    config: defaultConfig('/').notifications,
    sendEmail: send,
    sendPush: () => Promise.reject(new Error('there are no push messages')),
  })
})
afterEach(async () => {
  isEnding = true
  const stopped = outbox.stop()
  for (const { accept } of sending) accept()
  await stopped
  await store.close()
})

async function addAccount(mails: number, dueAt: number): Promise<string> {
  const user = userRecord()
  await store.users.insert(user)
  const target = { id: 'links', userId: user.id }
  const rows = Array.from({ length: mails }, () => deliveryRecord(target, { channel: 'email', dueAt }))
  await store.transaction((transaction) => transaction.outbox.add(rows))
  return user.id
}

const beganFor = (id: string) => begun.filter((userId) => userId === id).length

test('an email is sent at once while those of another account wait for a slow mail server', async () => {
  const mallory = await addAccount(30, 1)
  const bob = await addAccount(1, 2)
  outbox.start()
  await until('the first emails began', () => begun.length >= 3)
  expect([beganFor(mallory), beganFor(bob)]).toEqual([2, 1])
})

test('accounts with many emails take turns, and each email begins only when a connection is free', async () => {
  const accounts = [await addAccount(30, 1), await addAccount(30, 2), await addAccount(30, 3)]
  const bob = await addAccount(3, 4)
  outbox.start()
  for (let accepted = 0; accepted < 12; accepted++) {
    await until('all connections are used', () => sending.length >= 4)
    sending[0]?.accept()
  }
  await until('all connections are used', () => sending.length >= 4)
  expect(mostAtOnce).toBe(4)
  expect(beganFor(bob)).toBe(3)
  for (const account of accounts) expect(beganFor(account)).toBeLessThanOrEqual(6)
})
