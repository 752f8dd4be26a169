import { CookieJar } from 'tough-cookie'
import { afterEach, expect, test } from 'vitest'
import type { Config } from '../../../src/config/config.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import { accountsConfig, root, sessionIn, signIn } from '../../support/clients/accounts.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { call } from '../../support/servers/server-with-accounts.ts'

let server: TestServer
afterEach(() => server.close())

const start = async (config: Partial<Config> = {}) => {
  server = await startTestServer({
    features: { feature_authentication: 'enabled' },
    config: { accounts: accountsConfig, ...config },
  })
  return server
}

/** Each cookie with its attributes, without the value. */
const attributes = (set: readonly string[] | undefined) =>
  (set ?? []).map((line) => line.replace(/=[^;]*/, ''))

const login = () => call(server, 'POST /auth/local/login', { body: root })

test('both cookies live as long as the session; only the one that is repeated can be read by a script', async () => {
  await start()
  const { headers } = await login()
  expect(attributes(headers['set-cookie'])).toEqual([
    'svc-session; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
    'svc-xsrf; Max-Age=2592000; Path=/; SameSite=Lax',
  ])
})

test('over HTTPS they are Secure, and below a path prefix they stay there', async () => {
  await start({
    assumeHTTPS: true,
    path: '/files/here',
    accounts: { ...accountsConfig, sessionTimeout: 90 },
  })
  const { headers } = await login()
  expect(attributes(headers['set-cookie'])).toEqual([
    'svc-session; Max-Age=90; Path=/files/here; HttpOnly; Secure; SameSite=Lax',
    'svc-xsrf; Max-Age=90; Path=/files/here; Secure; SameSite=Lax',
  ])
})

test('a logout removes exactly these cookies', async () => {
  await start({ assumeHTTPS: true, path: '/files' })
  const session = await signIn(server, root)
  const response = await call(server, 'GET /auth/logout', { as: session })
  expect([response.status, response.text]).toEqual([200, 'ok'])
  expect(response.headers['set-cookie']).toEqual([
    'svc-session=; Max-Age=0; Path=/files; HttpOnly; Secure; SameSite=Lax',
    'svc-xsrf=; Max-Age=0; Path=/files; Secure; SameSite=Lax',
  ])
})

test('a browser whose session has ended is signed in again by a new login', async () => {
  await start()
  const jar = new CookieJar()
  const keep = async (set: readonly string[] = []) => {
    for (const cookie of set) await jar.setCookie(cookie, server.url)
  }
  const first = await login()
  await keep(first.headers['set-cookie'])
  await call(server, 'GET /auth/logout', { as: sessionIn(first) })

  const cookie = await jar.getCookieString(server.url)
  const again = await call(server, 'POST /auth/local/login', { body: root, headers: { cookie } })
  await keep(again.headers['set-cookie'])
  const me = await sendRequest(server.url, '/me', {
    headers: { cookie: await jar.getCookieString(server.url) },
  })
  expect(me.status).toBe(200)
})

test('the value of a session contains only a random id', async () => {
  await start()
  const { cookie } = await signIn(server, root)
  const [header = '', payload = ''] = cookie.replace(/^svc-session=/, '').split('.')
  const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object
  expect(decoded(header)).toEqual({ alg: 'HS256' })
  expect(decoded(payload)).toEqual({
    aud: 'session',
    exp: Date.UTC(2026, 0, 31) / 1000,
    jti: expect.stringMatching(/^[0-9A-Za-z]{32}$/) as string,
  })
})

test('two logins at the same moment share neither session nor XSRF value', async () => {
  await start()
  const [one, other] = await Promise.all([signIn(server, root), signIn(server, root)])
  expect(one.cookie).not.toBe(other.cookie)
  expect(one.xsrf).not.toBe(other.xsrf)
  expect(one.xsrf).toMatch(/^[\w-]{43}$/)
})
