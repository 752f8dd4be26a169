import type { Webhook } from '@svc/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/load.ts'
import { errorIn, jsonIn } from '../support/clients/send-request.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../support/servers/server-with-accounts.ts'

const { notifications } = defaultConfig('/')
const url = 'http://127.0.0.1:9000/hook'

let server: ServerWithAccounts
let member: Member
beforeAll(async () => {
  server = await startServerWithAccounts({
    config: { notifications: { ...notifications, privateNetworks: ['127.0.0.1/32'] } },
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  member = await newMember(server)
})

async function newWebhook(fields: Partial<Webhook> = {}): Promise<Webhook> {
  const body = { url, events: ['upload.downloaded'], ...fields }
  const response = await call(server, 'POST /me/webhooks', { as: member.session, body })
  expect(response.status).toBe(200)
  return jsonIn(response) as Webhook
}

test.for([
  ['https://hooks.example:25/', false],
  ['http://hooks.example:22/', false],
  ['https://hooks.example:1023/', false],
  ['https://hooks.example:1024/', true],
  ['https://hooks.example:80/', true],
  ['http://hooks.example:443/', true],
] as const)('whether a webhook with the address %s is accepted: %s', async ([url, isAccepted]) => {
  const body = { url, events: ['limits.near'] }
  const created = await call(server, 'POST /me/webhooks', { as: member.session, body })
  expect(created.status).toBe(isAccepted ? 200 : 400)
  const { id } = await newWebhook({ url: 'https://hooks.example/' })
  const changed = await call(server, `PATCH /me/webhooks/${id}`, { as: member.session, body: { url } })
  expect(changed.status).toBe(isAccepted ? 200 : 400)
})

test('a webhook is changed, listed without its secret, and removed with its deliveries', async () => {
  const { id, secret, ...webhook } = await newWebhook({ description: 'ours' })
  expect(secret).toMatch(/^whsec_/)
  const changes = { url: 'https://hooks.example/other?a=1', events: ['limits.near'], enabled: false }
  const changed = await call(server, `PATCH /me/webhooks/${id}`, { as: member.session, body: changes })
  expect(jsonIn(changed)).toEqual({ id, ...webhook, ...changes })
  expect(jsonIn(await call(server, 'GET /me/webhooks', { as: member.session }))).toEqual([
    { id, ...webhook, ...changes },
  ])
  expect((await call(server, `DELETE /me/webhooks/${id}`, { as: member.session })).text).toBe('ok')
  const gone = await call(server, `GET /me/webhooks/${id}/deliveries`, { as: member.session })
  expect(errorIn(gone)).toEqual({ status: 404, code: 'webhook_not_found' })
})

test.each([
  'ftp://hooks.example/',
  'javascript:alert(1)',
  'hooks.example',
  'http://a\r\nb/',
  'https://hooks.example/a\tb',
  'https://hooks.example/\0',
  'https://hooks.example/\u0085',
  'https://ada:secret@hooks.example/',
  'http://10.0.0.1/',
  'http://127.0.0.2/',
  'http://2130706434/',
  'http://0x7f.2/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.2]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  `https://hooks.example/${'x'.repeat(1024)}`,
])('the address %s is refused', async (url) => {
  const body = { url, events: ['limits.near'] }
  const response = await call(server, 'POST /me/webhooks', { as: member.session, body })
  expect(errorIn(response)).toEqual({ status: 400, code: 'invalid_request' })
})

test('an account has a limited number of webhooks', async () => {
  for (let made = 0; made < 10; made++) await newWebhook({ enabled: false })
  const body = { url, events: ['limits.near'] }
  const response = await call(server, 'POST /me/webhooks', { as: member.session, body })
  expect(errorIn(response)).toEqual({ status: 409, code: 'too_many_webhooks' })
})
