import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/identity-provider/identity-provider.ts'
import {
  callbackURL,
  externalProviders,
  logIn,
  openProvider,
  loginError,
  loginErrorCode,
  returnFrom,
  type ReturnedLogin,
} from './logins.ts'

const people = [{ login: 'alice', email: 'alice@example.org', emailHidden: true, customerCode: '1' }]

/** Milliseconds; for responses that never arrive. */
const requestTimeout = 100

let idp: TestIdentityProvider
beforeAll(async () => {
  idp = await startIdentityProvider({ people })
})
afterAll(() => idp.stop())

/** Every endpoint that a login uses after the browser returned. */
const endpoints = [
  ['idp1', '/token'],
  ['idp1', '/google/userinfo'],
  ['idp2', '/github/token'],
  ['idp2', '/github/user'],
  ['idp2', '/github/user/emails'],
  ['idp3', '/token'],
  ['idp3', '/ovh/me'],
  ['oidc', '/token'],
  ['oidc', '/jwks'],
  ['oidc', '/me'],
] as const

test('a provider that is down at discovery is used again once it is up', async () => {
  const provider = openProvider(idp, 'oidc')
  const port = Number(new URL(idp.issuer).port)
  await idp.stop()
  expect(await loginErrorCode(provider.begin(callbackURL))).toBe('unavailable')
  idp = await startIdentityProvider({ people, port })
  expect(await logIn(idp, provider, 'alice')).toMatchObject({ subject: 'subject-of-alice' })
})

test.each(externalProviders)('%s is unavailable when it goes down during a login', async (name) => {
  const provider = openProvider(idp, name)
  const { returned, attempt } = await returnFrom(idp, provider, 'alice')
  await idp.stop()
  const { code, status, message, headers } = await loginError(provider.finish(returned, attempt))
  expect([code, status, message, headers]).toEqual([
    'unavailable',
    503,
    `${idp.applications[name].name} cannot be reached right now: try again`,
    { 'retry-after': '5' },
  ])
  idp = await startIdentityProvider({ people })
})

test('a provider that begins no login delays discovery no longer than the limit', async () => {
  idp.respond('/.well-known/openid-configuration', 'no-response')
  const provider = openProvider(idp, 'oidc', {}, { requestTimeout })
  expect(await loginErrorCode(provider.begin(callbackURL))).toBe('unavailable')
  idp.respond('/.well-known/openid-configuration', null)
})

describe.each(endpoints)('%s, when its %s', (name, path) => {
  afterEach(() => idp.respond(path, null))

  const count = () =>
    idp.requests.filter((request) => new URL(request.path, idp.issuer).pathname === path).length

  /** Completes a login that another server process began. */
  const finish = ({ returned, attempt }: ReturnedLogin, options = {}) =>
    openProvider(idp, name, {}, options).finish(returned, attempt)
  const begin = () => returnFrom(idp, openProvider(idp, name), 'alice')

  test.each(['no-response', 'stall'] as const)('has a %s, times out after the limit', async (response) => {
    const login = await begin()
    idp.respond(path, response)
    expect(await loginErrorCode(finish(login, { requestTimeout }))).toBe('unavailable')
  })

  test.each([
    ['breaks off', 'cut' as const],
    ['fails', { status: 500, body: { error: 'server_error' } }],
    ['is overloaded', { status: 503 }],
    ['has too many requests', { status: 429 }],
  ])('%s, is unavailable', async (_case, response) => {
    const login = await begin()
    idp.respond(path, response)
    const before = count()
    expect(await loginErrorCode(finish(login))).toBe('unavailable')
    expect(count() - before).toBe(1)
  })

  test.each([301, 302, 303, 307, 308])('redirects (%i), does not follow', async (status) => {
    const login = await begin()
    idp.respond(path, { status, headers: { location: `${idp.issuer}/elsewhere` }, body: {} })
    expect(await loginErrorCode(finish(login))).toBe('login_failed')
    expect(idp.requests.filter((request) => request.path === '/elsewhere')).toEqual([])
  })

  test('rejects the request, fails', async () => {
    const login = await begin()
    idp.respond(path, {
      status: 401,
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
      body: {},
    })
    expect(await loginErrorCode(finish(login))).toBe('login_failed')
  })

  test('is longer than a mebibyte, fails', async () => {
    const login = await begin()
    idp.respond(path, { body: ' '.repeat(1_048_577) })
    const { code, cause } = await loginError(finish(login))
    expect([code, String((cause as Error).cause ?? cause)]).toEqual([
      'login_failed',
      'ProviderError: the response is longer than 1048576 bytes · PROVIDER_RESPONSE_UNUSABLE',
    ])
  })
})

test('a response of a mebibyte is accepted', async () => {
  const provider = openProvider(idp, 'idp3')
  idp.respond('/ovh/me', { body: '{"nichandle":"xx"}'.padEnd(1_048_576) })
  expect(await logIn(idp, provider, 'alice')).toMatchObject({ subject: 'xx' })
})
