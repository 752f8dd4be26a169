import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  withParameter,
} from './logins.ts'

let idp: TestIdentityProvider
beforeAll(async () => {
  const alice = { login: 'alice', email: 'alice@example.org', customerCode: '1234-5678' }
  idp = await startIdentityProvider({
    people: [alice, { ...alice, login: 'mallory', email: 'm@example.org' }],
  })
})
afterAll(() => idp.stop())

describe.each(externalProviders)('a login with %s', (name) => {
  const open = () => openProvider(idp, name)

  test('asks for consent with a code, a state and a hashed verifier', async () => {
    const { clientID, scopes } = idp.applications[name]
    const { consentURL, attempt } = await open().begin(callbackURL)
    const { origin, pathname, searchParams } = new URL(consentURL)
    expect([origin + pathname, Object.fromEntries(searchParams)]).toEqual([
      `${idp.issuer}/auth`,
      {
        response_type: 'code',
        client_id: clientID,
        redirect_uri: callbackURL,
        scope: scopes,
        state: attempt.state,
        code_challenge: hash('sha256', attempt.codeVerifier, 'base64url'),
        code_challenge_method: 'S256',
        ...(name === 'oidc' && { nonce: attempt.nonce }),
      },
    ])
  })

  test('never uses a secret twice', async () => {
    const provider = open()
    const attempts = await Promise.all([provider.begin(callbackURL), provider.begin(callbackURL)])
    const secrets = attempts.flatMap(({ attempt }) => Object.values(attempt) as string[])
    expect(new Set(secrets).size).toBe(6)
    expect(Math.min(...secrets.map((secret) => secret.length))).toBe(43)
  })

  test('may end in another process than the one in which it began', async () => {
    const { returned, attempt } = await returnFrom(idp, open(), 'alice')
    expect(await open().finish(returned, attempt)).toMatchObject({ issuer: idp.issuer })
  })

  test.each([
    ['a wrong state', { state: 'wrong' }],
    ['an empty state', { state: '' }],
    ['no state', { state: null }],
    ['a wrong code', { code: 'wrong' }],
    ['no code', { code: null }],
    ['another issuer', { iss: 'http://127.0.0.1:1' }],
    ['an issuer that is not an address', { iss: 'issuer' }],
    ['an id token in the address', { id_token: 'e30.e30.e30' }],
    ['a signed response', { response: 'e30.e30.e30' }],
  ])('fails with %s', async (_case, changes) => {
    const provider = open()
    const { returned, attempt } = await returnFrom(idp, provider, 'alice')
    const [[parameter, value] = ['', null]] = Object.entries(changes)
    expect(await loginErrorCode(provider.finish(withParameter(returned, parameter, value), attempt))).toBe(
      'login_failed',
    )
  })

  test.each(['state', 'code', 'iss'])('fails with the %s twice', async (parameter) => {
    const provider = open()
    const { returned, attempt } = await returnFrom(idp, provider, 'alice')
    returned.searchParams.append(parameter, returned.searchParams.get(parameter) ?? '')
    expect(await loginErrorCode(provider.finish(returned, attempt))).toBe('login_failed')
  })

  test('fails when the browser returns with the response to another attempt', async () => {
    const provider = open()
    const mine = await returnFrom(idp, provider, 'alice')
    const theirs = await returnFrom(idp, provider, 'mallory')
    expect(await loginErrorCode(provider.finish(theirs.returned, mine.attempt))).toBe('login_failed')
  })

  test('fails with the code of another attempt under its own state', async () => {
    const provider = open()
    const mine = await returnFrom(idp, provider, 'alice')
    const theirs = await returnFrom(idp, provider, 'mallory')
    const swapped = withParameter(mine.returned, 'code', theirs.returned.searchParams.get('code'))
    expect(await loginErrorCode(provider.finish(swapped, mine.attempt))).toBe('login_failed')
  })

  test('fails with the verifier of another attempt', async () => {
    const provider = open()
    const { returned, attempt } = await returnFrom(idp, provider, 'alice')
    const { codeVerifier } = (await provider.begin(callbackURL)).attempt
    expect(await loginErrorCode(provider.finish(returned, { ...attempt, codeVerifier }))).toBe('login_failed')
  })

  test('fails when the attempt is empty', async () => {
    const provider = open()
    const { returned } = await returnFrom(idp, provider, 'alice')
    const empty = { state: '', nonce: '', codeVerifier: '' }
    expect(await loginErrorCode(provider.finish(withParameter(returned, 'state', ''), empty))).toBe(
      'login_failed',
    )
  })

  test('ends once: the same response does not work again', async () => {
    const provider = open()
    const { returned, attempt } = await returnFrom(idp, provider, 'alice')
    await provider.finish(returned, attempt)
    const again = await loginError(provider.finish(returned, attempt))
    expect([again.code, (again.cause as Error).message]).toEqual([
      'login_failed',
      'server responded with an error in the response body · OAUTH_RESPONSE_BODY_ERROR · invalid_grant',
    ])
  })

  test('fails when the browser returns to another address', async () => {
    const provider = open()
    const { returned, attempt } = await returnFrom(idp, provider, 'alice')
    returned.pathname = '/auth/elsewhere'
    expect(await loginErrorCode(provider.finish(returned, attempt))).toBe('login_failed')
  })

  test('fails with a wrong client secret', async () => {
    const provider = openProvider(idp, name, { clientSecret: 'wrong' })
    const { returned, attempt } = await returnFrom(idp, provider, 'alice')
    expect(await loginErrorCode(provider.finish(returned, attempt))).toBe('login_failed')
  })

  test('fails when consent is denied, and logs the reason', async () => {
    const provider = open()
    const { consentURL, attempt } = await provider.begin(callbackURL)
    const cancelled = await loginError(provider.finish(await idp.cancel(consentURL), attempt))
    expect([cancelled.code, cancelled.status, (cancelled.cause as Error).message]).toEqual([
      'login_failed',
      400,
      'authorization response from the server is an error · OAUTH_AUTHORIZATION_RESPONSE_ERROR · access_denied',
    ])
  })

  test('shows a changed name at the next login', async () => {
    const person = { login: 'changing', name: 'Old Name', email: 'changing@example.org', customerCode: '99' }
    idp.put(person)
    const provider = open()
    const before = await logIn(idp, provider, 'changing')
    idp.put({ ...person, name: 'New Name' })
    const after = await logIn(idp, provider, 'changing')
    expect([before.name, after]).toEqual(['Old Name', { ...before, name: 'New Name' }])
  })
})

test('a response of one provider is not accepted from another, even with the state of its attempt', async () => {
  const [oidc, google] = [openProvider(idp, 'oidc'), openProvider(idp, 'idp1')]
  const theirs = await returnFrom(idp, google, 'mallory')
  expect(await loginErrorCode(oidc.finish(theirs.returned, theirs.attempt))).toBe('login_failed')
})
