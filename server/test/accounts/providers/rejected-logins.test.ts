import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorIn, type TestResponse } from '../../support/clients/send-request.ts'
import { accountsConfig, sessionIn } from '../../support/clients/accounts.ts'
import {
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/identity-provider/identity-provider.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { startTestServer } from '../../support/servers/test-server.ts'
import { begin, comeBack, logIn } from './provider-login.ts'
import {
  call,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let provider: TestIdentityProvider
let server: ServerWithAccounts
beforeAll(async () => {
  const people = ['ada', 'bob', 'eve'].map((login) => ({
    login,
    email: `${login}@example.test`,
    customerCode: login,
  }))
  provider = await startIdentityProvider({ people })
  const providers = { ...provider.applications, idp3: null }
  server = await startServerWithAccounts({
    config: { accounts: { ...accountsConfig, providers }, trustedProxies: ['127.0.0.1'] },
  })
})
afterAll(async () => {
  await server.close()
  await provider.stop()
})

const counts = () => lookUp(server, 'select count(*) from users union all select count(*) from sessions')
const expectRefused = ({ status, headers }: TestResponse, code = 'login_failed') => {
  expect([status, headers.location]).toEqual([302, `/#/login?error=${code}`])
  const set = (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0])
  expect(set).toEqual(['svc-login='])
}

test('a user who denies consent returns to the login page without a session', async () => {
  const before = counts()
  const begun = await begin(server, 'oidc')
  const returned = await provider.cancel(begun.consentURL)
  expect(returned.searchParams.get('error')).toBe('access_denied')
  expectRefused(await comeBack(server, returned, begun.cookie))
  expect(counts()).toEqual(before)
})

test('a callback in another browser is rejected: without the cookie, or with that of another login', async () => {
  const before = counts()
  const [mine, other] = [await begin(server, 'oidc'), await begin(server, 'oidc')]
  const returned = await provider.signIn(mine.consentURL, 'eve')
  for (const cookie of [
    '',
    'svc-login=',
    'svc-login=x',
    other.cookie,
    (await begin(server, 'idp2')).cookie,
  ]) {
    expectRefused(await comeBack(server, returned, cookie))
  }
  expect(counts()).toEqual(before)
})

test('a callback works for one login', async () => {
  const begun = await begin(server, 'oidc')
  const returned = await provider.signIn(begun.consentURL, 'ada')
  const first = await comeBack(server, returned, begun.cookie)
  expect(first.headers.location).toBe('/#/login')
  expectRefused(await comeBack(server, returned, begun.cookie))
  expect((await call(server, 'GET /me', { as: sessionIn(first) })).status).toBe(200)
})

test('the state and the cookie work once, even with an unused code', async () => {
  const begun = await begin(server, 'oidc')
  const [first, second] = [
    await provider.signIn(begun.consentURL, 'ada'),
    await provider.signIn(begun.consentURL, 'eve'),
  ]
  expect((await comeBack(server, first, begun.cookie)).headers.location).toBe('/#/login')
  const before = counts()
  expectRefused(await comeBack(server, second, begun.cookie))
  expect(counts()).toEqual(before)
})

test('a rejected login does not continue with another code', async () => {
  const begun = await begin(server, 'oidc')
  expectRefused(await comeBack(server, await provider.cancel(begun.consentURL), begun.cookie))
  expectRefused(await comeBack(server, await provider.signIn(begun.consentURL, 'ada'), begun.cookie))
})

test('a network has a hundred failed logins in five minutes; requests without a login in progress do not count', async () => {
  const from = { 'x-forwarded-for': '192.0.2.77' }
  const cancelled = async () => {
    const begun = await begin(server, 'oidc', from)
    return comeBack(server, await provider.cancel(begun.consentURL), begun.cookie, from)
  }
  expectRefused(await comeBack(server, new URL('http://test/auth/oidc/callback?code=x'), '', from))
  for (let tried = 0; tried < 100; tried++) expectRefused(await cancelled())
  expectRefused(await cancelled(), 'too_many_attempts')
  expectRefused(await logIn(server, provider, 'oidc', 'ada', from), 'too_many_attempts')
  expect((await logIn(server, provider, 'oidc', 'ada')).headers.location).toBe('/#/login')
  server.clock.advance(300_000)
  expect((await logIn(server, provider, 'oidc', 'ada', from)).headers.location).toBe('/#/login')
})

test('the code of one provider is rejected by another', async () => {
  const begun = await begin(server, 'idp1')
  const returned = await provider.signIn(begun.consentURL, 'ada')
  const elsewhere = new URL(returned)
  elsewhere.pathname = '/auth/idp2/callback'
  expectRefused(await comeBack(server, elsewhere, begun.cookie))
})

test('a login that takes longer than ten minutes must start again', async () => {
  const [early, late] = [await begin(server, 'oidc'), await begin(server, 'oidc')]
  const [first, second] = [
    await provider.signIn(early.consentURL, 'ada'),
    await provider.signIn(late.consentURL, 'ada'),
  ]
  server.clock.advance(599_999)
  expect((await comeBack(server, first, early.cookie)).headers.location).toBe('/#/login')
  server.clock.advance(1)
  expectRefused(await comeBack(server, second, late.cookie))
})

test('a changed state, an invented code or no code is rejected', async () => {
  const returning = async () => {
    const { consentURL, cookie } = await begin(server, 'oidc')
    return { returned: await provider.signIn(consentURL, 'ada'), cookie }
  }
  for (const [name, value] of [
    ['state', 'x'],
    ['state', null],
    ['code', 'x'],
    ['code', null],
    ['iss', 'http://evil.test'],
  ] as const) {
    const { returned: changed, cookie } = await returning()
    if (value === null) changed.searchParams.delete(name)
    else changed.searchParams.set(name, value)
    expectRefused(await comeBack(server, changed, cookie))
  }
  const { returned: bare, cookie } = await returning()
  bare.search = ''
  expectRefused(await comeBack(server, bare, cookie))
})

test('for any query and host, the browser is redirected to the login page of this server only', async () => {
  const names = fc.constantFrom(
    'error',
    'redirect',
    'redirect_uri',
    'next',
    'url',
    'state',
    'code',
    'error_uri',
    'return_to',
  )
  const values = fc.oneof(
    fc.constantFrom(
      '//evil.test',
      '/\\evil.test',
      'https:evil.test',
      'https://evil.test/%2f..',
      'javascript:alert(1)',
      '\r\nLocation: x',
    ),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
  )
  const hosts = fc.constantFrom('evil.test', '127.0.0.1:1', '[::1]:80', '')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(names, values), { maxLength: 4 }), hosts, async (query, host) => {
      const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString()
      const headers = { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' }
      const response = await call(server, `GET /auth/oidc/callback?${search}`, { headers })
      expect([response.status, response.headers.location]).toEqual([302, '/#/login?error=login_failed'])
    }),
    { numRuns: 60 },
  )
})

test('a login that began at one address of the server cannot be completed at another', async () => {
  const begun = await begin(server, 'oidc', { 'x-forwarded-host': '127.0.0.1:4711' })
  const returned = await provider.signIn(begun.consentURL, 'ada')
  expect(returned.host).toBe('127.0.0.1:4711')
  const response = await comeBack(server, returned, begun.cookie, { 'x-forwarded-host': 'evil.test' })
  expect(response.headers.location).toBe('/#/login')
})

test('a failed login keeps the previous session of the browser', async () => {
  const begun = await begin(server, 'oidc')
  const returned = await provider.cancel(begun.consentURL)
  expectRefused(await comeBack(server, returned, `${begun.cookie}; ${server.admin.cookie}`))
  expect((await call(server, 'GET /me', { as: server.admin })).status).toBe(200)
})

test('a provider that is not configured has no login, and its callback opens nothing', async () => {
  const response = await call(server, 'GET /auth/idp3/login')
  expect([errorIn(response), response.headers['set-cookie']]).toEqual([
    { status: 404, code: 'not_found' },
    undefined,
  ])
  expectRefused(await call(server, 'GET /auth/idp3/callback?code=x&state=y'), 'not_found')
  const byForm = await call(server, 'GET /auth/local/login')
  expect([byForm.status, byForm.headers.allow]).toEqual([405, 'POST'])
  for (const name of ['idp4', '..%2f', 'OIDC']) {
    expect(errorIn(await call(server, `GET /auth/${name}/login`))).toEqual({ status: 404, code: 'not_found' })
  }
})

test('an unreachable provider is reported as such, and the next login works', async () => {
  provider.respond('/token', { status: 503 })
  const begun = await begin(server, 'oidc')
  const returned = await provider.signIn(begun.consentURL, 'ada')
  expectRefused(await comeBack(server, returned, begun.cookie), 'unavailable')
  provider.respond('/token', null)
  expect((await logIn(server, provider, 'oidc', 'ada')).headers.location).toBe('/#/login')
})

test('an address that may not upload cannot create a user; existing users sign in from any address', async () => {
  const { config, directory, clock } = server
  const listed = await startTestServer({
    features: { feature_authentication: 'enabled' },
    config: { accounts: config.accounts, trustedProxies: ['127.0.0.1'], uploadWhitelist: ['192.0.2.0/24'] },
    directory,
    clock,
  })
  const [inside, outside] = [{ 'x-forwarded-for': '192.0.2.7' }, { 'x-forwarded-for': '198.51.100.7' }]
  expectRefused(await logIn(listed, provider, 'oidc', 'bob', outside), 'login_refused')
  expect(lookUp(server, "select count(*) from users where id like '%bob%'")).toEqual([0])
  expect((await logIn(listed, provider, 'oidc', 'bob', inside)).headers.location).toBe('/#/login')
  const known = await logIn(listed, provider, 'oidc', 'bob', outside)
  expect(known.headers.location).toBe('/#/login')
  const upload = await call(listed, 'POST /upload', { as: sessionIn(known), headers: outside, body: {} })
  expect(upload.status).toBe(200)
  const anonymous = await call(listed, 'POST /upload', { headers: outside, body: {} })
  expect(errorIn(anonymous)).toEqual({ status: 403, code: 'address_refused' })
  await listed.close()
})

test('the same subject of another issuer is a different account, and is rejected', async () => {
  const other = await startIdentityProvider({ people: [{ login: 'ada', email: 'ada@example.test' }] })
  const { config, directory, clock } = server
  expect((await logIn(server, provider, 'oidc', 'ada')).headers.location).toBe('/#/login')
  const accounts = { ...config.accounts, providers: other.applications }
  const features = { feature_authentication: 'enabled' } as const
  const moved = await startTestServer({ features, config: { accounts }, directory, clock })
  expectRefused(await logIn(moved, other, 'oidc', 'ada'), 'login_refused')
  await moved.close()
  await other.stop()
})

test('where login is disabled, so are providers', async () => {
  const { config, directory, clock } = server
  const closed = await startTestServer({ config: { accounts: config.accounts }, directory, clock })
  for (const line of ['GET /auth/oidc/login', 'GET /auth/oidc/callback?code=x'] as const) {
    expect(errorIn(await call(closed, line))).toEqual({ status: 403, code: 'feature_disabled' })
  }
  await closed.close()
})

test('a login at a provider writes no row where that would touch the reserve of the disk', async () => {
  const full = await startTestServer({
    config: { accounts: server.config.accounts, minFreeSpace: Number.MAX_SAFE_INTEGER },
    features: { feature_authentication: 'enabled' },
  })
  const before = lookUp(full, 'select count(*) from users union all select count(*) from sessions')
  expectRefused(await logIn(full, provider, 'oidc', 'ada'), 'no_space')
  expect(lookUp(full, 'select count(*) from users union all select count(*) from sessions')).toEqual(before)
  await full.close()
})
