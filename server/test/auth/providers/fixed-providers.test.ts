import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  startIdentityProvider,
  type Applications,
  type TestIdentityProvider,
} from '../../support/identity-provider/identity-provider.ts'
import { logIn, openProvider, loginError, loginErrorCode, returnFrom, withParameter } from './logins.ts'

const alice = {
  login: 'Alice-Adams',
  name: 'Alice Adams',
  email: 'Alice@Example.org',
  customerCode: '1234-5678-90',
  organizations: ['Our-Team'],
}

let idp: TestIdentityProvider
beforeAll(async () => {
  idp = await startIdentityProvider({ people: [alice] })
})
afterEach(() => {
  for (const path of changedPaths) idp.respond(path, null)
})
afterAll(() => idp.stop())

const changedPaths = ['/google/userinfo', '/github/token', '/github/user', '/github/user/emails', '/ovh/me']

const organizationRequests = () =>
  idp.requests.map(({ path }) => path).filter((path) => path.startsWith('/github/user/orgs'))

const openGithub = (changes: Partial<Applications['idp2']> = {}) => openProvider(idp, 'idp2', changes)

test.each([
  ['idp1', ''],
  ['idp2', ''],
  ['idp2', '/login/oauth'],
  ['idp3', '/oauth'],
] as const)('%s may name its issuer by its origin and "%s"', async (name, path) => {
  const provider = openProvider(idp, name)
  const { returned, attempt } = await returnFrom(idp, provider, 'Alice-Adams')
  const named = withParameter(returned, 'iss', idp.issuer + path)
  expect(await provider.finish(named, attempt)).toMatchObject({ issuer: idp.issuer })
})

test.each(['idp1', 'idp2', 'idp3'] as const)('%s may omit its issuer', async (name) => {
  const provider = openProvider(idp, name)
  const { returned, attempt } = await returnFrom(idp, provider, 'Alice-Adams')
  const unnamed = withParameter(returned, 'iss', null)
  expect(await provider.finish(unnamed, attempt)).toMatchObject({ issuer: idp.issuer })
})

test.each([
  ['idp1', '/google/userinfo'],
  ['idp2', '/github/user'],
  ['idp3', '/ovh/me'],
] as const)('%s: a profile with an error status is rejected', async (name, path) => {
  const body = { email: 'a@b.c', email_verified: true, login: 'somebody', nichandle: 'somebody' }
  const provider = openProvider(idp, name)
  idp.respond(path, { body })
  expect(await logIn(idp, provider, 'Alice-Adams')).toMatchObject({ email: 'a@b.c' })
  for (const status of [201, 206, 400, 401, 403, 404, 410]) {
    idp.respond(path, { status, body })
    expect(await loginErrorCode(logIn(idp, provider, 'Alice-Adams'))).toBe('login_failed')
  }
})

describe('Google', () => {
  const open = () => openProvider(idp, 'idp1')

  test('identifies users by their email address in lower case', async () => {
    expect(await logIn(idp, open(), 'Alice-Adams')).toEqual({
      subject: 'alice@example.org',
      accountId: 'subject-of-Alice-Adams',
      issuer: idp.issuer,
      login: 'alice@example.org',
      name: 'Alice Adams',
      email: 'alice@example.org',
    })
  })

  test('distinguishes two addresses that only look alike', async () => {
    idp.put({ login: 'kelvin', email: '\u212ate@example.org' })
    idp.put({ login: 'kate', email: 'Kte@example.org' })
    const people = [await logIn(idp, open(), 'kelvin'), await logIn(idp, open(), 'kate')]
    expect(people.map(({ subject }) => subject)).toEqual(['\u212ate@example.org', 'kte@example.org'])
  })

  test('rejects an address that is not verified', async () => {
    idp.put({ login: 'unverified', email: 'admin@example.org', emailVerified: false })
    expect(await loginErrorCode(logIn(idp, open(), 'unverified'))).toBe('login_refused')
  })

  test.each([
    [{ verified_email: true }, 'signed in'],
    [{ verified_email: false }, 'login_refused'],
    [{ email_verified: false, verified_email: true }, 'login_refused'],
    [{ verified_email: 'true' }, 'login_refused'],
    [{}, 'login_refused'],
  ])('reads the older name of the claim: %j', async (claims, expected) => {
    idp.respond('/google/userinfo', { body: { id: '1', email: 'alice@example.org', ...claims } })
    const login = logIn(idp, open(), 'Alice-Adams')
    expect(expected === 'signed in' ? await login.then(() => expected) : await loginErrorCode(login)).toBe(
      expected,
    )
  })

  test('fails when its id token names another issuer than its response', async () => {
    const provider = open()
    const { returned, attempt } = await returnFrom(idp, provider, 'Alice-Adams')
    const changed = withParameter(returned, 'iss', `${idp.issuer}/elsewhere`)
    expect(await loginErrorCode(provider.finish(changed, attempt))).toBe('login_failed')
  })

  test('fails without an address', async () => {
    idp.put({ login: 'nobody' })
    expect(await loginErrorCode(logIn(idp, open(), 'nobody'))).toBe('login_failed')
  })
})

describe('GitHub', () => {
  test('identifies users by their login in lower case, and shows the original spelling', async () => {
    expect(await logIn(idp, openGithub(), 'Alice-Adams')).toEqual({
      subject: 'alice-adams',
      accountId: '4711',
      issuer: idp.issuer,
      login: 'Alice-Adams',
      name: 'Alice Adams',
      email: 'Alice@Example.org',
    })
  })

  test('uses the primary address when the profile hides it', async () => {
    idp.put({ login: 'bob', email: 'bob@example.org', emailHidden: true })
    expect(await logIn(idp, openGithub(), 'bob')).toEqual({
      subject: 'bob',
      accountId: '4711',
      issuer: idp.issuer,
      login: 'bob',
      name: '',
      email: 'bob@example.org',
    })
  })

  test('uses no address that is not verified', async () => {
    idp.put({ login: 'bob', email: 'bob@example.org', emailHidden: true, emailVerified: false })
    expect(await logIn(idp, openGithub(), 'bob')).toMatchObject({ subject: 'bob', email: '' })
  })

  test.each([403, 404])('continues without an address that may not be read (%i)', async (status) => {
    idp.put({ login: 'bob', email: 'bob@example.org', emailHidden: true })
    idp.respond('/github/user/emails', { status, body: { message: 'Not Found' } })
    expect(await logIn(idp, openGithub(), 'bob')).toMatchObject({ subject: 'bob', email: '' })
  })

  test('receives requests for JSON with a user agent', async () => {
    const before = idp.requests.length
    await logIn(idp, openGithub(), 'Alice-Adams')
    const requests = idp.requests.slice(before).filter(({ path }) => path.startsWith('/github/'))
    expect(
      requests.map(({ method, path, headers }) => [
        method,
        path,
        headers.accept,
        headers['user-agent'] !== undefined,
      ]),
    ).toEqual([
      ['POST', '/github/token', 'application/json', true],
      ['GET', '/github/user', 'application/json', true],
    ])
  })

  test('reports why a code is rejected with status 200', async () => {
    idp.respond('/github/token', { body: { error: 'bad_verification_code', error_description: 'expired' } })
    const { code, cause } = await loginError(logIn(idp, openGithub(), 'Alice-Adams'))
    expect([code, (cause as Error).message]).toEqual([
      'login_failed',
      'server responded with an error in the response body · OAUTH_RESPONSE_BODY_ERROR · bad_verification_code',
    ])
  })

  test.each([
    [['our-team'], 'signed in'],
    [['others', 'OUR-TEAM'], 'signed in'],
    [[], 'signed in'],
    [['our'], 'login_refused'],
    [['our-team-too'], 'login_refused'],
  ])('allows members of %j: %s', async (validOrganizations, expected) => {
    const login = logIn(idp, openGithub({ validOrganizations }), 'Alice-Adams')
    expect(expected === 'signed in' ? await login.then(() => expected) : await loginErrorCode(login)).toBe(
      expected,
    )
  })

  test('rejects a user who has left the organization at the next login', async () => {
    const provider = openGithub({ validOrganizations: ['our-team'] })
    idp.put({ login: 'leaving', organizations: ['our-team'] })
    await logIn(idp, provider, 'leaving')
    idp.put({ login: 'leaving', organizations: ['another-team'] })
    const before = organizationRequests().length
    const { code, message } = await loginError(logIn(idp, provider, 'leaving'))
    expect(organizationRequests().slice(before)).toEqual(['/github/user/orgs?per_page=100&page=1'])
    expect([code, message]).toEqual([
      'login_refused',
      'you are in none of the organizations whose members may sign in here',
    ])
  })

  test.each([
    [99, 1],
    [100, 2],
    [250, 3],
  ])('finds the organization after %i others', async (others, pages) => {
    const organizations = Array.from({ length: others }, (_, index) => `other-${String(index)}`)
    idp.put({ login: 'busy', organizations: [...organizations, 'our-team'] })
    const before = organizationRequests().length
    await logIn(idp, openGithub({ validOrganizations: ['our-team'] }), 'busy')
    expect(organizationRequests().slice(before)).toEqual(
      Array.from({ length: pages }, (_, page) => `/github/user/orgs?per_page=100&page=${String(page + 1)}`),
    )
  })

  test('stops searching after a thousand organizations', async () => {
    const organizations = Array.from({ length: 1_000 }, (_, index) => `other-${String(index)}`)
    idp.put({ login: 'busier', organizations: [...organizations, 'our-team'] })
    const provider = openGithub({ validOrganizations: ['our-team'] })
    expect(await loginErrorCode(logIn(idp, provider, 'busier'))).toBe('login_refused')
  })
})

describe('OVHcloud', () => {
  const open = () => openProvider(idp, 'idp3')

  test('identifies users by their customer code', async () => {
    expect(await logIn(idp, open(), 'Alice-Adams')).toEqual({
      subject: '1234-5678-90',
      accountId: 'Alice-Adams-ovh',
      issuer: idp.issuer,
      login: 'Alice-Adams-ovh',
      name: 'Alice Adams',
      email: 'Alice@Example.org',
    })
  })

  test('identifies users without a customer code by their handle', async () => {
    idp.put({ login: 'bob' })
    expect(await logIn(idp, open(), 'bob')).toEqual({
      subject: 'bob-ovh',
      accountId: 'bob-ovh',
      issuer: idp.issuer,
      login: 'bob-ovh',
      name: '',
      email: '',
    })
  })

  test('names users without a handle by their customer code', async () => {
    idp.respond('/ovh/me', { body: { customerCode: '77', nichandle: null, firstname: null, name: 'Adams' } })
    expect(await logIn(idp, open(), 'Alice-Adams')).toEqual({
      subject: '77',
      accountId: null,
      issuer: idp.issuer,
      login: '77',
      name: 'Adams',
      email: '',
    })
  })
})

describe('the permanent id of an account', () => {
  test.each([
    ['idp1', '/google/userinfo', { email: 'a@b.test', email_verified: true, sub: null, id: '104' }, '104'],
    ['idp1', '/google/userinfo', { email: 'a@b.test', email_verified: true }, null],
    ['idp2', '/github/user', { login: 'bob', id: '4711', email: 'a@b.test' }, '4711'],
    ['idp2', '/github/user', { login: 'bob', email: 'a@b.test' }, null],
  ] as const)('at %s, where %s responds with %j, is %s', async (name, path, body, accountId) => {
    idp.respond(path, { body })
    expect(await logIn(idp, openProvider(idp, name), 'Alice-Adams')).toMatchObject({ accountId })
  })

  test.each([{}, [], true, 1.5, 2 ** 53, ' 4711', 'x'.repeat(256), 'a\nb'])(
    '%j is invalid, and the login fails',
    async (id) => {
      idp.respond('/github/user', { body: { login: 'bob', email: 'a@b.test', id } })
      await expect(logIn(idp, openProvider(idp, 'idp2'), 'Alice-Adams')).rejects.toMatchObject({
        code: 'login_failed',
      })
    },
  )
})
