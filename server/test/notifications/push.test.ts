import { createDecipheriv, createECDH, createPublicKey, hkdfSync } from 'node:crypto'
import { filePath, type PushSettings, type PushSubscription, type Upload } from '@svc/contract'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/load.ts'
import { errorIn, jsonIn, sendRequest } from '../support/clients/send-request.ts'
import { startReceiver, type Received, type Receiver } from '../support/notifications/receiver.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../support/servers/server-with-accounts.ts'
import { until } from '../support/until.ts'

const { notifications } = defaultConfig('/')

let receiver: Receiver
let server: ServerWithAccounts
let member: Member
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startServerWithAccounts({
    config: {
      svcDomain: 'https://svc.example',
      notifications: { ...notifications, privateNetworks: ['127.0.0.1/32'] },
    },
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

/** A browser with its keys. */
function newBrowser() {
  const keys = createECDH('prime256v1')
  const publicKey = keys.generateKeys()
  const auth = Buffer.alloc(16, 7)
  return {
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    /** Decrypts a message as RFC 8291 requires. */
    read({ bytes }: Pick<Received, 'bytes'>): unknown {
      const [salt, sender, record] = [bytes.subarray(0, 16), bytes.subarray(21, 86), bytes.subarray(86)]
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
      const ikm = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32))
      const derive = (name: string, length: number) =>
        Buffer.from(hkdfSync('sha256', ikm, salt, Buffer.from(`Content-Encoding: ${name}\0`), length))
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
      decipher.setAuthTag(record.subarray(-16))
      const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      expect(plain.at(-1)).toBe(2)
      return JSON.parse(plain.subarray(0, -1).toString())
    },
  }
}

const subscribe = (
  browser: Pick<ReturnType<typeof newBrowser>, 'keys'>,
  endpoint = `${receiver.url}/push/1`,
) =>
  call(server, 'POST /me/push', {
    as: member.session,
    body: { endpoint, keys: browser.keys, events: ['upload.downloaded'] },
  })

const settings = async (): Promise<PushSettings> =>
  jsonIn(await call(server, 'GET /me/push', { as: member.session })) as PushSettings

async function download(): Promise<string> {
  const created = await call(server, 'POST /upload', { as: member.session, body: {} })
  const { id, uploadToken = '' } = jsonIn(created) as Upload
  const file = await server.client.addFile(id, new Blob(['content']), { fileName: 'a.txt', uploadToken })
  await sendRequest(server.url, filePath(id, file.id, 'a.txt'))
  server.clock.advance(5_000)
  return id
}

test('a browser receives an encrypted message that only it can read, with a token of the service', async () => {
  const browser = newBrowser()
  expect((await subscribe(browser)).status).toBe(200)
  const uploadID = await download()
  const [message] = await receiver.receives(1)
  if (message === undefined) throw new Error('nothing was received')
  expect(message.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' })
  expect(browser.read(message)).toMatchObject({ type: 'upload.downloaded', data: { uploadID } })
  expect(message.bytes.includes(uploadID)).toBe(false)
  expect(() => newBrowser().read(message)).toThrow()
  const { publicKey } = await settings()
  const [, token = '', key] = /^vapid t=(\S+), k=(\S+)$/.exec(message.headers.authorization ?? '') ?? []
  expect(key).toBe(publicKey)
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  const verifier = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  await jwtVerify(token, verifier, {
    currentDate: new Date(server.clock.now()),
    audience: receiver.url,
    subject: 'https://svc.example',
  })
})

test.each([404, 410])('a subscription that has ended (%i) is removed', async (status) => {
  receiver.respond = (response) => {
    response.writeHead(status).end()
  }
  await subscribe(newBrowser())
  await download()
  await until('it is removed', async () => (await settings()).subscriptions.length === 0)
  await download()
  expect(await receiver.receives(1)).toHaveLength(1)
})

test('a subscription that a browser has renewed keeps its events, and replaces the old one', async () => {
  const [first, second] = [newBrowser(), newBrowser()]
  const old = await subscribe(first, `${receiver.url}/push/old`)
  const renew = (body: object) => call(server, 'POST /me/push', { as: member.session, body })
  const body = { endpoint: `${receiver.url}/push/new`, keys: second.keys }
  expect(errorIn(await renew(body))).toEqual({ status: 400, code: 'invalid_request' })
  const response = await renew({ ...body, replaces: `${receiver.url}/push/old` })
  expect(response.status).toBe(200)
  const { subscriptions } = await settings()
  expect(subscriptions).toMatchObject([{ events: ['upload.downloaded'] }])
  expect(subscriptions.map(({ id }) => id)).toEqual([(jsonIn(response) as PushSubscription).id])
  expect(subscriptions[0]?.id).not.toBe((jsonIn(old) as PushSubscription).id)
  // Without events, a page finds the id of the subscription that its browser has.
  expect(jsonIn(await renew(body))).toMatchObject({ id: subscriptions[0]?.id })
  const others = await newMember(server)
  const stolen = { ...body, endpoint: `${receiver.url}/push/3`, replaces: body.endpoint }
  expect(errorIn(await call(server, 'POST /me/push', { as: others.session, body: stolen }))).toEqual({
    status: 400,
    code: 'invalid_request',
  })
  expect((await settings()).subscriptions).toHaveLength(1)
})

test('a push service that is busy gets the message again', async () => {
  receiver.respond = (response) => {
    response.writeHead(429, { 'retry-after': '60' }).end()
  }
  const browser = newBrowser()
  await subscribe(browser)
  await download()
  const [first] = await receiver.receives(1)
  receiver.respond = (response) => {
    response.writeHead(201).end()
  }
  const again = await until('it is sent again', () => {
    server.clock.advance(2_000)
    return receiver.received[1]
  })
  expect(first && browser.read(again)).toEqual(first && browser.read(first))
})

test('a browser is listed without its address, changed by subscribing again, and removed', async () => {
  const browser = newBrowser()
  await subscribe(browser)
  const { subscriptions, publicKey } = await settings()
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65)
  expect(subscriptions).toMatchObject([
    { service: new URL(receiver.url).host, events: ['upload.downloaded'] },
  ])
  const body = { endpoint: `${receiver.url}/push/1`, keys: browser.keys, events: ['limits.near'] }
  const changed = jsonIn(
    await call(server, 'POST /me/push', { as: member.session, body }),
  ) as PushSubscription
  expect((await settings()).subscriptions).toEqual([{ ...subscriptions[0], events: ['limits.near'] }])
  await call(server, `DELETE /me/push/${changed.id}`, { as: member.session })
  expect((await settings()).subscriptions).toEqual([])
  const again = await call(server, `DELETE /me/push/${changed.id}`, { as: member.session })
  expect(errorIn(again)).toEqual({ status: 404, code: 'push_subscription_not_found' })
})

test('the newest 20 browsers of an account stay', async () => {
  for (let made = 0; made < 22; made++) {
    await subscribe(newBrowser(), `${receiver.url}/push/${String(made)}`)
    server.clock.advance(1)
  }
  expect((await settings()).subscriptions).toHaveLength(20)
})

test('keys and addresses that cannot be used are refused', async () => {
  const { keys } = newBrowser()
  const refused = { status: 400, code: 'invalid_request' }
  for (const wrong of [
    { ...keys, p256dh: '' },
    { ...keys, auth: 'x' },
    { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') },
  ])
    expect(errorIn(await subscribe({ keys: wrong }))).toEqual(refused)
  for (const endpoint of [
    'http://169.254.169.254/',
    'http://[::1]/',
    'file:///etc/passwd',
    'x',
    'http://push.example/',
    'http://8.8.8.8/',
  ])
    expect(errorIn(await subscribe({ keys }, endpoint))).toEqual(refused)
})
