import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  newKey,
  startIdentityProvider,
  type Applications,
  type TestIdentityProvider,
} from '../../support/identity-provider/identity-provider.ts'
import {
  callbackURL,
  logIn,
  openProvider,
  loginError,
  loginErrorCode,
  returnFrom,
  withParameter,
} from './logins.ts'

type Claims = Readonly<Record<string, unknown>>

const alice = { login: 'alice', subject: 'Subject-1', name: 'Alice Adams', email: 'Alice@Example.org' }
const discoveryPath = '/.well-known/openid-configuration'

let idp: TestIdentityProvider
beforeAll(async () => {
  idp = await startIdentityProvider({ people: [alice] })
})
afterEach(() => {
  for (const path of [discoveryPath, '/token', '/me']) idp.respond(path, null)
})
afterAll(() => idp.stop())

const open = (changes: Partial<Applications['oidc']> = {}) => openProvider(idp, 'oidc', changes)

const requestCount = (path: string) => idp.requests.filter((request) => request.path === path).length

async function discoveryDocument(): Promise<Record<string, unknown>> {
  const response = await fetch(idp.issuer + discoveryPath)
  return (await response.json()) as Record<string, unknown>
}

const without = async (name: string) => ({ body: { ...(await discoveryDocument()), [name]: undefined } })

test('a user is identified by subject and issuer', async () => {
  expect(await logIn(idp, open(), 'alice')).toEqual({
    subject: 'Subject-1',
    accountId: 'Subject-1',
    issuer: idp.issuer,
    login: 'alice',
    name: 'Alice Adams',
    email: 'Alice@Example.org',
  })
})

test('the claims of the id token and the userinfo are combined', async () => {
  idp.put({ login: 'both', email: 'both@example.org', idToken: { name: 'From The Token' } })
  expect(await logIn(idp, open(), 'both')).toEqual({
    subject: 'subject-of-both',
    accountId: 'subject-of-both',
    issuer: idp.issuer,
    login: 'both',
    name: 'From The Token',
    email: 'both@example.org',
  })
})

test('the userinfo overrides the id token', async () => {
  idp.put({ ...alice, login: 'renamed', subject: 'Subject-3', idToken: { name: 'Former Name' } })
  expect(await logIn(idp, open(), 'renamed')).toMatchObject({ login: 'renamed', name: 'Alice Adams' })
})

test('a provider without userinfo has all claims in the id token', async () => {
  idp.respond(discoveryPath, await without('userinfo_endpoint'))
  idp.put({
    ...alice,
    login: 'token-only',
    subject: 'Subject-2',
    name: 'Another Name',
    idToken: { email: 'token@example.org', email_verified: true, name: 'Token Only' },
  })
  expect(await logIn(idp, open(), 'token-only')).toEqual({
    subject: 'Subject-2',
    accountId: 'Subject-2',
    issuer: idp.issuer,
    login: 'token@example.org',
    name: 'Token Only',
    email: 'token@example.org',
  })
})

test('a user with neither a name nor an email address is named by the subject', async () => {
  const provider = open({ requireVerifiedEmail: false, scopes: 'openid' })
  expect(await logIn(idp, provider, 'alice')).toEqual({
    subject: 'Subject-1',
    accountId: 'Subject-1',
    issuer: idp.issuer,
    login: 'Subject-1',
    name: '',
    email: '',
  })
})

describe('discovery', () => {
  test('is fetched once for parallel logins', async () => {
    const before = requestCount(discoveryPath)
    const provider = open()
    await Promise.all([provider.begin(callbackURL), logIn(idp, provider, 'alice')])
    await logIn(idp, provider, 'alice')
    expect(requestCount(discoveryPath) - before).toBe(1)
  })

  test.each([
    ['of another issuer', () => ({ body: { issuer: 'http://127.0.0.1:1' } })],
    ['without endpoints', () => ({ body: { issuer: idp.issuer } })],
    [
      'with a consent page that is not a web page',
      async () => {
        return { body: { ...(await discoveryDocument()), authorization_endpoint: 'javascript:alert(1)' } }
      },
    ],
    ['without a token endpoint', () => without('token_endpoint')],
    ['without keys', () => without('jwks_uri')],
    ['that is not JSON', () => ({ body: '<html>' })],
    ['that is a list', () => ({ body: [] })],
    ['that is missing', () => ({ status: 404, body: {} })],
    ['that redirects', () => ({ status: 302, headers: { location: `${idp.issuer}/elsewhere` } })],
  ])('%s begins no login, and is not cached', async (_case, made) => {
    const provider = open()
    idp.respond(discoveryPath, await made())
    expect(await loginErrorCode(provider.begin(callbackURL))).toBe('unavailable')
    expect(requestCount('/elsewhere')).toBe(0)
    idp.respond(discoveryPath, null)
    expect(await logIn(idp, provider, 'alice')).toMatchObject({ subject: 'Subject-1' })
  })

  test('that failed is fetched again at the next login', async () => {
    const provider = open()
    idp.respond(discoveryPath, { status: 503 })
    const rejected = await loginError(provider.begin(callbackURL))
    expect([rejected.code, rejected.status, rejected.message]).toEqual([
      'unavailable',
      503,
      'OpenID cannot be reached right now: try again',
    ])
    idp.respond(discoveryPath, null)
    expect(await logIn(idp, provider, 'alice')).toMatchObject({ subject: 'Subject-1' })
  })

  test.each(['', '/', discoveryPath])(
    'finds the issuer when it is written with a trailing "%s"',
    async (end) => {
      const provider = open({ providerURL: idp.issuer + end })
      expect(await logIn(idp, provider, 'alice')).toMatchObject({ issuer: idp.issuer })
    },
  )

  test('compares the issuer even when the address of the document is configured', async () => {
    idp.respond(discoveryPath, { body: { ...(await discoveryDocument()), issuer: 'http://127.0.0.1:1' } })
    const provider = open({ providerURL: idp.issuer + discoveryPath })
    expect(await loginErrorCode(provider.begin(callbackURL))).toBe('unavailable')
  })

  test('uses TLS when it is configured, and never without', async () => {
    const before = idp.requests.length
    const provider = open({ providerURL: idp.issuer.replace('http:', 'https:') })
    expect(await loginErrorCode(provider.begin(callbackURL))).toBe('unavailable')
    expect(idp.requests.length).toBe(before)
  })
})

test('a response without an issuer fails when the provider announces the issuer parameter', async () => {
  const provider = open()
  const { returned, attempt } = await returnFrom(idp, provider, 'alice')
  expect(await loginErrorCode(provider.finish(withParameter(returned, 'iss', null), attempt))).toBe(
    'login_failed',
  )
})

test('the nonce of another attempt fails', async () => {
  const provider = open()
  const { returned, attempt } = await returnFrom(idp, provider, 'alice')
  const { nonce } = (await provider.begin(callbackURL)).attempt
  expect(await loginErrorCode(provider.finish(returned, { ...attempt, nonce }))).toBe('login_failed')
})

describe('the client secret', () => {
  const { clientID, clientSecret } = { clientID: 'OVHcloud-client', clientSecret: 'OVHcloud-secret' }
  const authorizationSent = () =>
    idp.requests.findLast(({ path }) => path === '/token')?.headers.authorization

  test('is sent in the header when the provider accepts it there', async () => {
    await logIn(idp, open(), 'alice')
    expect(authorizationSent()).toMatch(/^Basic /)
  })

  test('is sent in the header when the provider does not announce its methods', async () => {
    idp.respond(discoveryPath, await without('token_endpoint_auth_methods_supported'))
    await logIn(idp, open(), 'alice')
    expect(authorizationSent()).toMatch(/^Basic /)
  })

  test('is sent in the body when the provider accepts it only there', async () => {
    const methods = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
    idp.respond(discoveryPath, { body: { ...(await discoveryDocument()), ...methods } })
    await logIn(idp, open({ clientID, clientSecret }), 'alice')
    expect(authorizationSent()).toBeUndefined()
  })
})

describe('an id token', () => {
  /** A login whose token endpoint returns an id token made here, and whose userinfo agrees with it. */
  async function finishWith(
    make: (claims: Claims) => Promise<string>,
    userInfo: unknown = { sub: 'made-up' },
  ) {
    const provider = open({ requireVerifiedEmail: false })
    const { returned, attempt } = await returnFrom(idp, provider, 'alice')
    const now = Math.floor(Date.now() / 1000)
    const truth = {
      iss: idp.issuer,
      aud: idp.applications.oidc.clientID,
      sub: 'made-up',
      nonce: attempt.nonce,
    }
    const idToken = await make({ ...truth, iat: now, exp: now + 600 })
    idp.respond('/token', { body: { access_token: 'a', token_type: 'Bearer', id_token: idToken } })
    idp.respond('/me', { body: userInfo })
    return provider.finish(returned, attempt)
  }
  const hourAgo = Math.floor(Date.now() / 1000) - 3_600

  test('that is valid is accepted', async () => {
    expect(await finishWith((claims) => idp.signIdToken(claims))).toEqual({
      subject: 'made-up',
      accountId: 'made-up',
      issuer: idp.issuer,
      login: 'made-up',
      name: '',
      email: '',
    })
  })

  test.each<[string, Claims]>([
    ['of another issuer', { iss: 'http://127.0.0.1:1' }],
    ['for another application', { aud: 'another' }],
    [
      'for another application too, and authorized for that one',
      { aud: ['openid-client', 'another'], azp: 'another' },
    ],
    ['that has expired', { iat: hourAgo, exp: hourAgo + 600 }],
    ['without an expiry', { exp: undefined }],
    ['that is not yet valid', { nbf: hourAgo + 7_200 }],
    ['without a nonce', { nonce: undefined }],
    ['with another nonce', { nonce: 'another' }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject that is too long', { sub: 'x'.repeat(256) }],
    ['with a control character in its subject', { sub: 'made\u0000up' }],
    ['with a line break in its subject', { sub: 'made\nup' }],
    ['with a space before its subject', { sub: ' made-up' }],
    ['with half a character in its subject', { sub: 'made\ud800up' }],
    ['with a number as a subject', { sub: 7 }],
    ['with a number as a name', { name: 7 }],
  ])('%s fails', async (_case, changes) => {
    const userInfo = { sub: changes['sub'] ?? 'made-up' }
    const login = finishWith((claims) => idp.signIdToken({ ...claims, ...changes }), userInfo)
    expect(await loginErrorCode(login)).toBe('login_failed')
  })

  test('may have a subject of 255 characters', async () => {
    const sub = 'x'.repeat(255)
    const login = finishWith((claims) => idp.signIdToken({ ...claims, sub }), { sub })
    expect(await login).toMatchObject({ subject: sub, login: sub })
  })

  test('that another key has signed fails', async () => {
    const otherClient = newKey()
    expect(await loginErrorCode(finishWith((claims) => idp.signIdToken(claims, otherClient)))).toBe(
      'login_failed',
    )
  })

  test('without a signature fails', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = (claims: Claims) => Promise.resolve(`${part({ alg: 'none' })}.${part(claims)}.`)
    expect(await loginErrorCode(finishWith(unsigned))).toBe('login_failed')
  })

  test('whose subject differs from the userinfo fails', async () => {
    const login = finishWith((claims) => idp.signIdToken(claims), { sub: 'somebody-else' })
    expect(await loginErrorCode(login)).toBe('login_failed')
  })

  test('is required', async () => {
    const provider = open()
    const { returned, attempt } = await returnFrom(idp, provider, 'alice')
    idp.respond('/token', { body: { access_token: 'a', token_type: 'Bearer' } })
    expect(await loginErrorCode(provider.finish(returned, attempt))).toBe('login_failed')
  })
})
