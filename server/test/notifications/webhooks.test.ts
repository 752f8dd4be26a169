import { filePath, type Delivery, type Page, type Upload, type Webhook } from '@svc/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { errorIn, jsonIn, sendRequest } from '../support/clients/send-request.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../support/servers/server-with-accounts.ts'
import { defaultConfig } from '../../src/config/load.ts'
import { startReceiver, verified, type Received, type Receiver } from '../support/notifications/receiver.ts'
import { until } from '../support/until.ts'

const { notifications } = defaultConfig('/')
const serverSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const minute = 60_000

let receiver: Receiver
let server: ServerWithAccounts
let member: Member
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startServerWithAccounts({
    config: { notifications: { ...notifications, privateNetworks: ['127.0.0.1/32'], timeoutMs: 5_000 } },
  })
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})
beforeEach(async () => {
  member = await newMember(server)
  receiver.reset()
})
afterEach(async () => {
  await call(server, `DELETE /user/${encodeURIComponent(member.id)}`, { as: server.admin })
})

async function newWebhook(fields: Partial<Webhook> = {}): Promise<Webhook> {
  const body = { url: `${receiver.url}/hook`, events: ['upload.downloaded'], ...fields }
  const response = await call(server, 'POST /me/webhooks', { as: member.session, body })
  expect(response.status).toBe(200)
  return jsonIn(response) as Webhook
}

/** An upload of the member, with one file, and the path of its download. */
async function newUpload(): Promise<{ readonly id: string; readonly path: string; readonly fileID: string }> {
  const created = await call(server, 'POST /upload', { as: member.session, body: {} })
  const { id, uploadToken = '' } = jsonIn(created) as Upload
  const file = await server.client.addFile(id, new Blob(['content']), { fileName: 'a.txt', uploadToken })
  return { id, fileID: file.id, path: filePath(id, file.id, 'a.txt') }
}

/** Downloads are written at an interval of five seconds. */
async function download(path: string, headers: Record<string, string> = {}): Promise<void> {
  await sendRequest(server.url, path, { headers })
  server.clock.advance(5_000)
}

async function deliveriesOf({ id }: Webhook): Promise<readonly Delivery[]> {
  const response = await call(server, `GET /me/webhooks/${id}/deliveries`, { as: member.session })
  return (jsonIn(response) as Page<Delivery>).results
}

const settled = (webhook: Webhook, attempts: number) =>
  until(`there are ${String(attempts)} attempts`, async () => {
    const [delivery] = await deliveriesOf(webhook)
    return delivery?.attempts === attempts && delivery
  })

const typesIn = (received: readonly Received[]) =>
  received.map(({ body }) => (JSON.parse(body) as { readonly type: string }).type)

test('a download is sent with a signature that a library of the standard verifies', async () => {
  const webhook = await newWebhook()
  const { id, path, fileID } = await newUpload()
  await download(path)
  const [request] = await receiver.receives(1)
  if (request === undefined) throw new Error('nothing was received')
  const now = server.clock.now()
  expect(verified(request, webhook.secret ?? '', now)).toEqual({
    type: 'upload.downloaded',
    timestamp: new Date(now - 5_000).toISOString(),
    data: { uploadID: id, fileID, result: 'whole', bytes: 7 },
  })
  expect(() => verified(request, serverSecret, now)).toThrow()
  expect(() => verified(request, webhook.secret ?? '', now + 6 * minute)).toThrow()
  const delivery = await settled(webhook, 1)
  expect(delivery).toMatchObject({
    id: request.headers['webhook-id'],
    status: 'delivered',
    responseStatus: 204,
    error: null,
    payload: request.body,
  })
})

test('the first download is a separate event, once; parts and broken downloads are not complete', async () => {
  const webhook = await newWebhook({ events: ['upload.first_download', 'upload.downloaded'] })
  const { path } = await newUpload()
  await download(path, { range: 'bytes=0-2' })
  await download(path)
  await receiver.receives(2)
  await until('both are delivered', async () =>
    (await deliveriesOf(webhook)).every(({ status }) => status === 'delivered'),
  )
  await download(path)
  expect(typesIn(await receiver.receives(3)).toSorted()).toEqual([
    'upload.downloaded',
    'upload.downloaded',
    'upload.first_download',
  ])
})

test('a webhook receives the events of its account and those that it lists only', async () => {
  await newWebhook({ events: ['limits.near'] })
  const other = await newMember(server)
  const foreign = await call(server, 'POST /me/webhooks', {
    as: other.session,
    body: { url: receiver.url, events: ['upload.downloaded'] },
  })
  expect(foreign.status).toBe(200)
  const webhook = await newWebhook()
  await download((await newUpload()).path)
  expect(await receiver.receives(1)).toHaveLength(1)
  await settled(webhook, 1)
  expect(receiver.received).toHaveLength(1)
})

test('a message is sent again after longer and longer pauses, with the same id, and is given up after three days', async () => {
  receiver.respond = (response) => {
    response.writeHead(500).end()
  }
  const webhook = await newWebhook()
  const { path } = await newUpload()
  await download(path)
  const pauses: number[] = []
  for (let attempt = 1; ; attempt++) {
    const delivery = await settled(webhook, attempt)
    if (delivery.nextAttemptAt === undefined) {
      expect(delivery).toMatchObject({
        status: 'failed',
        responseStatus: 500,
        error: 'the target refused the message',
      })
      break
    }
    const pause = Date.parse(delivery.nextAttemptAt) - server.clock.now()
    pauses.push(pause)
    server.clock.advance(pause + 5_000)
  }
  expect(pauses).toHaveLength(9)
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  const days = pauses.reduce((sum, pause) => sum + pause, 0) / 86_400_000
  expect(days).toBeGreaterThan(2.9)
  expect(days).toBeLessThan(4)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('a target that asks for a later attempt gets it', async () => {
  receiver.respond = (response) => {
    response.writeHead(429, { 'retry-after': '600' }).end()
  }
  const webhook = await newWebhook()
  await download((await newUpload()).path)
  const { nextAttemptAt = '' } = await settled(webhook, 1)
  expect(Date.parse(nextAttemptAt) - server.clock.now()).toBe(600_000)
})

test('redirects are not followed, for example to the metadata of a cloud', async () => {
  receiver.respond = (response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
  }
  const webhook = await newWebhook()
  await download((await newUpload()).path)
  expect(await settled(webhook, 1)).toMatchObject({
    status: 'pending',
    responseStatus: 302,
    error: 'redirects are not followed',
  })
})

test('a target that is gone (410) receives nothing more', async () => {
  receiver.respond = (response) => {
    response.writeHead(410).end()
  }
  const webhook = await newWebhook()
  const { path } = await newUpload()
  await download(path)
  expect(await settled(webhook, 1)).toMatchObject({ status: 'failed', responseStatus: 410 })
  await until('it is disabled', async () => {
    const [listed] = jsonIn(await call(server, 'GET /me/webhooks', { as: member.session })) as Webhook[]
    return listed?.enabled === false
  })
  await download(path)
  expect(await deliveriesOf(webhook)).toHaveLength(1)
})

test('a delivery is replayed by hand, with the same id', async () => {
  const webhook = await newWebhook()
  await download((await newUpload()).path)
  const { id } = await settled(webhook, 1)
  const replayed = await call(server, `POST /me/webhooks/${webhook.id}/deliveries/${id}/replay`, {
    as: member.session,
  })
  expect(jsonIn(replayed)).toMatchObject({ id, status: 'pending', attempts: 0 })
  const requests = await receiver.receives(2)
  expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
  const other = await call(server, `POST /me/webhooks/${webhook.id}/deliveries/nothing/replay`, {
    as: member.session,
  })
  expect(errorIn(other)).toEqual({ status: 404, code: 'delivery_not_found' })
})

test('after a rotation, both secrets sign for a day', async () => {
  const webhook = await newWebhook()
  const rotated = jsonIn(
    await call(server, `POST /me/webhooks/${webhook.id}/secret`, { as: member.session }),
  ) as Webhook
  const [old, current] = [webhook.secret ?? '', rotated.secret ?? '']
  expect(current).not.toBe(old)
  expect(rotated.previousSecretUntil).toBe(new Date(server.clock.now() + 24 * 60 * minute).toISOString())
  const { path } = await newUpload()
  await download(path)
  const [both] = await receiver.receives(1)
  if (both === undefined) throw new Error('nothing was received')
  const now = server.clock.now()
  expect(verified(both, old, now)).toEqual(verified(both, current, now))
  server.clock.advance(24 * 60 * minute)
  await download(path)
  const [, message] = await receiver.receives(2)
  if (message === undefined) throw new Error('nothing was received')
  verified(message, current, server.clock.now())
  expect(() => verified(message, old, server.clock.now())).toThrow()
})

test('a target that does not respond delays no other one', async () => {
  receiver.respond = (response, { path }) => {
    if (path !== '/slow') response.writeHead(204).end()
  }
  const slow = await newWebhook({ url: `${receiver.url}/slow` })
  await newWebhook({ url: `${receiver.url}/quick` })
  const { path } = await newUpload()
  for (let round = 0; round < 40; round++) await sendRequest(server.url, path)
  await download(path)
  await until(
    'the quick target has all',
    () => receiver.received.filter((request) => request.path === '/quick').length === 41,
  )
  const waiting = await deliveriesOf(slow)
  expect(waiting.every(({ status }) => status === 'pending')).toBe(true)
})

test('deliveries are deleted after a week', async () => {
  const webhook = await newWebhook()
  await download((await newUpload()).path)
  await settled(webhook, 1)
  server.clock.advance(7 * 24 * 60 * minute - 1)
  await server.clean()
  expect(await deliveriesOf(webhook)).toHaveLength(1)
  server.clock.advance(1)
  await server.clean()
  expect(await deliveriesOf(webhook)).toEqual([])
})

test('the webhook of the server receives the events of all uploads', async () => {
  const webhook = { url: `${receiver.url}/server`, secret: serverSecret }
  const configured = await startServerWithAccounts({
    config: { notifications: { ...notifications, webhook } },
  })
  try {
    const { id, uploadToken = '' } = await configured.client.createUpload({})
    const file = await configured.client.addFile(id, new Blob(['x']), { fileName: 'a', uploadToken })
    await sendRequest(configured.url, filePath(id, file.id, 'a'))
    configured.clock.advance(5_000)
    const requests = await receiver.receives(2)
    expect(typesIn(requests).toSorted()).toEqual(['upload.downloaded', 'upload.first_download'])
    for (const request of requests) verified(request, serverSecret, configured.clock.now())
  } finally {
    await configured.close()
  }
})
