import type { DatabaseSync } from 'node:sqlite'
import type { Upload } from '@svc/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/load.ts'
import { jsonIn } from '../support/clients/send-request.ts'
import { startReceiver, type Receiver } from '../support/notifications/receiver.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../support/servers/server-with-accounts.ts'
import { until } from '../support/until.ts'

const { notifications } = defaultConfig('/')
const minute = 60_000
const hour = 60 * minute

let receiver: Receiver
let server: ServerWithAccounts
let member: Member
beforeEach(async () => {
  receiver = await startReceiver()
  server = await start()
  member = await newMember(server)
  const body = { url: receiver.url, events: ['upload.expiring', 'limits.near'] }
  await call(server, 'POST /me/webhooks', { as: member.session, body })
})
afterEach(async () => {
  await server.close()
  await receiver.close()
})

const start = (options: Parameters<typeof startServerWithAccounts>[0] = {}) =>
  startServerWithAccounts({
    ...options,
    config: { maxUserSize: 100, notifications: { ...notifications, privateNetworks: ['127.0.0.1/32'] } },
  })

const newUpload = async (ttl: number) =>
  jsonIn(await call(server, 'POST /upload', { as: member.session, body: { ttl } })) as Upload

async function readDatabase<Result>(read: (database: DatabaseSync) => Result): Promise<Result> {
  const { DatabaseSync } = await import('node:sqlite')
  using database = new DatabaseSync(`${server.directory}/svc.db`, { readOnly: true })
  return read(database)
}

const isAllDelivered = (database: DatabaseSync) =>
  database.prepare('select id from deliveries where "finishedAt" is null').get() === undefined

/**
 * Waits until the look for events that begins at an interval has ended, and what it has found is delivered: another five
 * minutes would end the lease of a message that is on its way, and it would be sent again.
 */
async function look(at = server): Promise<void> {
  // Quotas are looked at after uploads that expire.
  await until('everything is delivered', () => readDatabase(isAllDelivered))
  at.clock.advance(5 * minute)
  const until24h = String(at.clock.now() + 24 * hour)
  await until('the server has looked', () =>
    readDatabase((database) => {
      const looked = database.prepare(`select value from settings where key = 'announcedExpiries'`).get()
      return looked?.['value'] === until24h && isAllDelivered(database)
    }),
  )
}

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: object })

test('an upload is announced once, a day before it expires; a short one is not', async () => {
  await look()
  await newUpload(3_600)
  const { id, expireAt } = await newUpload(25 * 3_600)
  await look()
  expect(receiver.received).toEqual([])
  for (let passed = 0; passed < 60; passed += 5) await look()
  await receiver.receives(1)
  await look()
  expect(bodies()).toEqual([
    { type: 'upload.expiring', timestamp: expect.any(String) as unknown, data: { uploadID: id, expireAt } },
  ])
})

test('an upload that was removed is not announced', async () => {
  await look()
  const { id } = await newUpload(25 * 3_600)
  await newUpload(26 * 3_600)
  await call(server, `DELETE /upload/${id}`, { as: member.session })
  for (let passed = 0; passed < 130; passed += 5) await look()
  await receiver.receives(1)
  expect(bodies().map(({ data }) => data)).not.toContainEqual(expect.objectContaining({ uploadID: id }))
})

test('of two instances, one announces an upload', async () => {
  const second = await startServerWithAccounts({
    directory: server.directory,
    clock: server.clock,
    config: server.config,
  })
  await look()
  await newUpload(24 * 3_600 + 60)
  await look()
  await receiver.receives(1)
  await look()
  expect(receiver.received).toHaveLength(1)
  await second.close()
})

test('a quota that is nine tenths full is announced once a week', async () => {
  const { id, uploadToken = '' } = await newUpload(20 * 24 * 3_600)
  const send = (bytes: number) =>
    server.client.addFile(id, new Blob(['x'.repeat(bytes)]), { fileName: 'a', uploadToken })
  await send(89)
  await look()
  await look()
  expect(receiver.received).toEqual([])
  await send(1)
  await look()
  await receiver.receives(1)
  await look()
  expect(bodies()).toEqual([
    {
      type: 'limits.near',
      timestamp: expect.any(String) as unknown,
      data: { usedSize: 90, maxUserSize: 100 },
    },
  ])
  server.clock.advance(7 * 24 * hour)
  await receiver.receives(2)
})
