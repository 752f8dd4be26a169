import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startIdentityProvider,
  type Applications,
  type TestIdentityProvider,
} from '../../support/identity-provider/identity-provider.ts'
import { logIn, openProvider, loginError, loginErrorCode } from './logins.ts'

let idp: TestIdentityProvider
beforeAll(async () => {
  idp = await startIdentityProvider()
})
afterAll(() => idp.stop())

const domainRejected = 'people of your email domain may not sign in here'

describe.each(['idp1', 'oidc'] as const)('the email domains of %s', (name) => {
  const open = (...validDomains: readonly string[]) => openProvider(idp, name, { validDomains })

  test.each([
    ['alice@example.org', ['example.org']],
    ['Alice@EXAMPLE.ORG', ['example.org']],
    ['alice@example.org', ['Example.ORG']],
    ['alice@example.org', ['other.test', 'example.org']],
    ['alice@anything.test', []],
  ])('allow %s under %j', async (email, domains) => {
    idp.put({ login: 'alice', email })
    expect((await logIn(idp, open(...domains), 'alice')).email.toLowerCase()).toBe(email.toLowerCase())
  })

  test.each([
    'alice@evil-example.org',
    'alice@example.org.evil',
    'alice@sub.example.org',
    'alice@example.or',
    'alice@example.orgx',
    'alice@example.org.',
    'alice@org',
    'example.org@evil.test',
    'alice+example.org@evil.test',
    // Full lower-casing turns the Kelvin sign into an ordinary k.
    'alice@\u212aelvin.test',
  ])('do not allow %s', async (email) => {
    idp.put({ login: 'alice', email })
    const { code, message } = await loginError(logIn(idp, open('example.org', 'kelvin.test'), 'alice'))
    expect([code, message]).toEqual(['login_refused', domainRejected])
  })

  test('apply to the next login when they change', async () => {
    idp.put({ login: 'alice', email: 'alice@example.org' })
    await logIn(idp, open('example.org'), 'alice')
    expect(await loginErrorCode(logIn(idp, open('other.test'), 'alice'))).toBe('login_refused')
  })

  test('apply to the next login when the address changes', async () => {
    const provider = open('example.org')
    idp.put({ login: 'alice', email: 'alice@example.org' })
    await logIn(idp, provider, 'alice')
    idp.put({ login: 'alice', email: 'alice@other.test' })
    expect(await loginErrorCode(logIn(idp, provider, 'alice'))).toBe('login_refused')
  })

  test('do not allow a user whose address is not verified', async () => {
    idp.put({ login: 'alice', email: 'alice@example.org', emailVerified: false })
    const { code, status, message } = await loginError(logIn(idp, open('example.org'), 'alice'))
    expect([code, status, message]).toEqual([
      'login_refused',
      403,
      `${idp.applications[name].name} has not verified your email address: verify it there, then sign in again`,
    ])
  })
})

describe('OpenID Connect', () => {
  const open = (changes: Partial<Applications['oidc']>) => openProvider(idp, 'oidc', changes)

  test.each([
    ['an address that is not verified', { email: 'bob@example.org', emailVerified: false }],
    ['no address', {}],
    ['a text that is not an address', { email: 'example.org' }],
    ['two addresses in one', { email: 'bob@evil.test,@example.org' }],
    ['an address with a line break', { email: 'bob@evil.test\n@example.org' }],
  ])('rejects a user with %s, unless configured otherwise', async (_case, person) => {
    idp.put({ login: 'bob', ...person })
    expect(await loginErrorCode(logIn(idp, open({}), 'bob'))).toBe('login_refused')
    const lenient = { requireVerifiedEmail: false }
    expect(await logIn(idp, open(lenient), 'bob')).toMatchObject({ subject: 'subject-of-bob' })
    const limited = { ...lenient, validDomains: ['example.org'] }
    expect(await loginErrorCode(logIn(idp, open(limited), 'bob'))).toBe('login_refused')
  })

  test.each([true, 'true', 1, null, {}])('interprets the claim %j of the id token', async (verified) => {
    const idToken = { email: 'carol@example.org', email_verified: verified }
    idp.put({ login: 'carol', idToken })
    const login = logIn(idp, open({}), 'carol')
    if (verified === true) expect(await login).toMatchObject({ email: 'carol@example.org' })
    else expect(await loginErrorCode(login)).toBe('login_refused')
  })

  test('does not treat one address as verified because another one is', async () => {
    const idToken = { email: 'dave@mail.test', email_verified: true }
    idp.put({ login: 'dave', email: 'admin@example.org', emailVerified: false, idToken })
    expect(await logIn(idp, open({}), 'dave')).toMatchObject({ email: 'dave@mail.test' })
    const limited = open({ validDomains: ['example.org'] })
    expect(await loginErrorCode(logIn(idp, limited, 'dave'))).toBe('login_refused')
  })
})
