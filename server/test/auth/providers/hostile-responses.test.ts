import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExternalProvider } from '../../../src/auth/providers/open-providers.ts'
import type { IdentityProvider, ProviderProfile } from '../../../src/auth/providers/provider.ts'
import { ServiceError } from '../../../src/domain/errors.ts'
import {
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../support/identity-provider/identity-provider.ts'
import { callbackURL, openProvider } from './logins.ts'

let idp: TestIdentityProvider
beforeAll(async () => {
  idp = await startIdentityProvider()
})
afterAll(() => idp.stop())

/** A login with an invented code, which the token endpoint accepts. */
async function finishAnyLogin(provider: IdentityProvider): Promise<ProviderProfile | ServiceError> {
  const { attempt } = await provider.begin(callbackURL)
  const now = Math.floor(Date.now() / 1000)
  const idToken = await idp.signIdToken({
    iss: idp.issuer,
    aud: idp.applications.oidc.clientID,
    sub: 'subject',
    nonce: attempt.nonce,
    iat: now,
    exp: now + 60,
  })
  const tokens = { access_token: 'token', token_type: 'bearer' }
  idp.respond('/token', { body: { ...tokens, id_token: idToken } })
  idp.respond('/github/token', { body: tokens })
  const returned = new URL(callbackURL)
  returned.search = String(new URLSearchParams({ code: 'code', state: attempt.state, iss: idp.issuer }))
  try {
    return await provider.finish(returned, attempt)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

const openFor = (name: ExternalProvider): IdentityProvider => {
  // Without an id token, which would be of another application, it is plain OAuth 2.0.
  const tokenURL = `${idp.issuer}/github/token`
  switch (name) {
    case 'idp1':
    case 'idp3':
      return openProvider(idp, name, { tokenURL })
    case 'idp2':
      return openProvider(idp, name, { tokenURL, validOrganizations: ['team'] })
    case 'oidc':
      return openProvider(idp, name, { requireVerifiedEmail: false })
  }
}

const discovery = '/.well-known/openid-configuration'

const claims = [
  'sub',
  'email',
  'email_verified',
  'verified_email',
  'name',
  'preferred_username',
  'login',
  'primary',
  'verified',
  'customerCode',
  'nichandle',
  'firstname',
  '__proto__',
]

const text = fc.oneof(
  fc.constantFrom('subject', 'team', 'alice@example.org', '@', 'a@b@c', ' a@b.c', '../../x', '<b>', ''),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom('a', '\u0000', '\n', '\u200b', '\u202e', '\ud800', '\u{1f600}', ' ', '@'),
    maxLength: 40,
  }),
  fc.nat({ max: 3_000 }).map((length) => 'long'.repeat(length)),
)
const value = fc.oneof({ weight: 4, arbitrary: text }, fc.boolean(), fc.jsonValue({ maxDepth: 2 }))
const record = fc.dictionary(fc.constantFrom(...claims), value, { noNullPrototype: true })
const json = fc
  .oneof({ weight: 4, arbitrary: record }, fc.array(record, { maxLength: 3 }), fc.jsonValue())
  .map((shape) => JSON.stringify(shape))
const body = fc.oneof({ weight: 6, arbitrary: json }, text)
const status = fc.oneof(
  { weight: 6, arbitrary: fc.constant(200) },
  fc.constantFrom(201, 204, 206, 304, 400, 404, 418),
)

const control = /[\p{Cc}\u2028\u2029]/u
const invisible = /[\p{Cc}\p{Cf}]/u

function expectProfileOrError(outcome: ProviderProfile | ServiceError): void {
  if (outcome instanceof ServiceError) {
    expect(['login_failed', 'login_refused']).toContain(outcome.code)
    return
  }
  const { subject, login, name, email, issuer } = outcome
  expect(issuer).toBe(idp.issuer)
  expect(subject.length).toBeGreaterThan(0)
  expect(login.length).toBeGreaterThan(0)
  for (const [keptText, longest] of [
    [subject, 255],
    [login, 256],
    [name, 256],
    [email, 254],
  ] as const) {
    expect(Array.from(keptText).length).toBeLessThanOrEqual(longest)
    expect(keptText.isWellFormed()).toBe(true)
    expect(control.test(keptText)).toBe(false)
  }
  // Two accounts must not look the same.
  for (const identifier of [subject, email]) expect(invisible.test(identifier)).toBe(false)
  expect(email).toMatch(/^$|^[^\s@]+@[^\s@]+$/)
}

describe('every login ends with a valid profile or an error', () => {
  test.each([
    ['idp1', ['/google/userinfo']],
    ['idp2', ['/github/user', '/github/user/emails', '/github/user/orgs']],
    ['idp3', ['/ovh/me']],
    ['oidc', ['/me']],
  ] as const)('%s at %s', async (name, paths) => {
    const provider = openFor(name)
    const responses = fc.tuple(...paths.map(() => fc.record({ status, body })))
    await fc.assert(
      fc.asyncProperty(responses, async (made) => {
        paths.forEach((path, index) => idp.respond(path, made[index] ?? null))
        expectProfileOrError(await finishAnyLogin(provider))
      }),
      { numRuns: 150 },
    )
  })

  test.each(['idp3', 'oidc'] as const)('%s at the token endpoint', async (name) => {
    const tokenEndpoint = `${idp.issuer}/hostile`
    const document = (await (await fetch(idp.issuer + discovery)).json()) as Record<string, unknown>
    idp.respond(discovery, { body: { ...document, token_endpoint: tokenEndpoint } })
    const provider =
      name === 'oidc' ? openProvider(idp, name) : openProvider(idp, name, { tokenURL: tokenEndpoint })
    const tokens = fc.dictionary(
      fc.constantFrom(
        'access_token',
        'token_type',
        'id_token',
        'error',
        'expires_in',
        'refresh_token',
        'scope',
      ),
      fc.oneof(value, fc.constantFrom('bearer', 'Bearer', 'e30.e30.e30', 'eyJhbGciOiJub25lIn0.e30.')),
      { noNullPrototype: true },
    )
    const shapes = fc.oneof({ weight: 4, arbitrary: tokens.map((shape) => JSON.stringify(shape)) }, body)
    idp.respond('/ovh/me', { body: { nichandle: 'somebody' } })
    await fc.assert(
      fc.asyncProperty(shapes, status, async (made, responseStatus) => {
        idp.respond('/hostile', { status: responseStatus, body: made })
        expectProfileOrError(await finishAnyLogin(provider))
      }),
      { numRuns: 150 },
    )
    idp.respond(discovery, null)
  })
})

describe('a valid response of these tests', () => {
  test.each([
    ['idp1', '/google/userinfo', { email: 'a@b.c', email_verified: true }, 'a@b.c'],
    ['idp3', '/ovh/me', { nichandle: 'somebody' }, 'somebody'],
    ['oidc', '/me', { sub: 'subject' }, 'subject'],
  ] as const)('is accepted by %s', async (name, path, response, subject) => {
    idp.respond(path, { body: response })
    expect(await finishAnyLogin(openFor(name))).toMatchObject({ subject })
  })

  test('is accepted by idp2', async () => {
    idp.respond('/github/user', { body: { login: 'Somebody' } })
    idp.respond('/github/user/emails', { body: [] })
    idp.respond('/github/user/orgs', { body: [{ login: 'team' }] })
    expect(await finishAnyLogin(openFor('idp2'))).toMatchObject({ subject: 'somebody' })
  })
})

test('an identifier with an invisible character is refused', async () => {
  idp.respond('/ovh/me', { body: { nichandle: 'ali\u200bce' } })
  expect(await finishAnyLogin(openFor('idp3'))).toMatchObject({ code: 'login_failed' })
})

test.each([
  ['a very long name', 'N'.repeat(5_000), 'N'.repeat(256)],
  [
    'a name of very many characters outside of the first plane',
    '\u{1f600}'.repeat(5_000),
    '\u{1f600}'.repeat(256),
  ],
  ['a name with line breaks and direction changes', ' Alice\n\u202eAdams\u0000 ', 'AliceAdams'],
  ['half a character', 'Alice \ud83d', 'Alice \ufffd'],
  ['no name', null, ''],
])('%s is truncated and cleaned', async (_case, name, shown) => {
  idp.respond('/ovh/me', { body: { nichandle: 'somebody', name } })
  expect(await finishAnyLogin(openFor('idp3'))).toMatchObject({ name: shown })
})
