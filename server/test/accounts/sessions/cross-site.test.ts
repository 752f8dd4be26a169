import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorIn } from '../../support/clients/send-request.ts'
import { accountsConfig, root, signIn } from '../../support/clients/accounts.ts'
import { startTestServer } from '../../support/servers/test-server.ts'
import {
  call,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts({ config: { svcDomain: 'https://files.test', trustedProxies: [] } })
})
afterAll(() => server.close())

/** Headers that a browser adds to requests of a page of another site. */
const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
  ['a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ['a page of another subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://other.files.test' }],
  ['a word that no browser sends', { 'sec-fetch-site': 'same-origin, cross-site' }],
  ['an old browser on another site', { origin: 'https://evil.test' }],
  ['a sandboxed page', { origin: 'null' }],
  ['the same host without TLS', { origin: 'http://files.test' }],
  ['another port of the host', { origin: 'https://files.test:8443' }],
  ['a host that begins alike', { origin: 'https://files.test.evil.test' }],
  ['a host that ends alike', { origin: 'https://evilfiles.test' }],
  ['an address with a path', { origin: 'https://files.test/' }],
]

const lines = [
  'POST /auth/local/login',
  'POST /auth/cli/init',
  'POST /upload',
  'PATCH /me',
  'POST /',
] as const
const bodyOf = (line: (typeof lines)[number]) =>
  line === 'POST /' ? undefined : line === 'POST /auth/local/login' ? root : {}

test.each(foreign)('%s changes nothing, with or without a session', async (_who, headers) => {
  for (const line of lines) {
    for (const session of [{}, server.admin.headers]) {
      const response = await call(server, line, { headers: { ...session, ...headers }, body: bodyOf(line) })
      const code = line === 'POST /' ? undefined : 'cross_site'
      expect([line, errorIn(response)]).toEqual([line, { status: 403, code }])
      expect(response.headers['set-cookie']).toBeUndefined()
    }
  }
})

test.each(foreign)('%s does not sign the user out', async (_who, headers) => {
  const session = await signIn(server, root)
  const response = await call(server, 'GET /auth/logout', { as: session, headers })
  expect(errorIn(response)).toEqual({ status: 403, code: 'cross_site' })
  expect(response.headers['set-cookie']).toBeUndefined()
  expect((await call(server, 'GET /me', { as: session })).status).toBe(200)
})

test.each([
  ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'https://files.test' }],
  ['an address that was typed', { 'sec-fetch-site': 'none' }],
  ['an old browser on our page', { origin: 'https://files.test' }],
  ['a program', {}],
])('%s may', async (_who, headers) => {
  await call(server, 'PATCH /me', { as: server.admin, headers, body: {} }).then(({ status }) => {
    expect(status).toBe(200)
  })
  const session = await signIn(server, root, headers)
  expect((await call(server, 'GET /auth/logout', { as: session, headers })).text).toBe('ok')
})

test.each([
  ['a link on our own page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }],
  ['a link in a mail', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['a picture in a note', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
  ['a link in an old browser', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }],
])('%s does not sign the user out', async (_who, headers) => {
  const session = await signIn(server, root)
  const { cookie = '' } = session.headers as { readonly cookie?: string }
  const response = await call(server, 'GET /auth/logout', { headers: { cookie, ...headers } })
  expect(errorIn(response)).toEqual({ status: 403, code: 'invalid_xsrf' })
  expect(response.headers['set-cookie']).toBeUndefined()
  expect((await call(server, 'GET /me', { as: session })).status).toBe(200)
  const script = { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', accept: '*/*' }
  expect((await call(server, 'GET /auth/logout', { headers: script })).text).toBe('ok')
})

test('a link from another site may open a page, since reading changes nothing', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  expect((await call(server, 'GET /me', { as: server.admin, headers })).status).toBe(200)
})

test('a header that a foreign page can send only after a preflight allows a client of another origin', async () => {
  const headers = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
  const created = await call(server, 'POST /me/token', { as: server.admin, body: {} })
  const { token } = JSON.parse(created.text) as { token: string }
  const sent = { ...headers, 'x-svctoken': token }
  expect((await call(server, 'POST /upload', { headers: sent, body: {} })).status).toBe(200)
})

test('no response allows a page of another origin to read it or to send those headers', async () => {
  for (const line of ['GET /me', 'GET /config', 'POST /upload', 'POST /auth/local/login'] as const) {
    const headers = { origin: 'https://evil.test' }
    const response = await call(server, line, {
      as: server.admin,
      headers,
      body: line === 'POST /upload' ? {} : root,
    })
    expect(response.headers['access-control-allow-origin']).toBeUndefined()
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
  }
})

test("without a configured domain, the server's origin is the requested address", async () => {
  const plain = await startTestServer({
    features: { feature_authentication: 'enabled' },
    config: { accounts: accountsConfig },
  })
  await signIn(plain, root, { origin: plain.url })
  for (const origin of ['http://evil.test', '', plain.url.replace('127.0.0.1', 'localhost')]) {
    const response = await call(plain, 'POST /auth/local/login', { headers: { origin }, body: root })
    expect(errorIn(response)).toEqual({ status: 403, code: 'cross_site' })
  }
  const forwarded = { 'x-forwarded-host': 'evil.test', origin: 'http://evil.test' }
  const rejected = await call(plain, 'POST /auth/local/login', { headers: forwarded, body: root })
  expect(errorIn(rejected)).toEqual({ status: 403, code: 'cross_site' })
  await plain.close()
})
