import { inspect } from 'node:util'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ServiceError } from '../../../src/domain/errors.ts'
import {
  startIdentityProvider,
  type Answer,
  type TestIdentityProvider,
} from '../../support/identity-provider/identity-provider.ts'
import { externalProviders, openProvider, loginError, returnFrom, withParameter } from './logins.ts'

let idp: TestIdentityProvider
beforeAll(async () => {
  idp = await startIdentityProvider({
    people: [{ login: 'alice', email: 'alice@example.org', customerCode: '1' }],
  })
})
afterEach(() => {
  for (const path of hostilePaths) idp.respond(path, null)
})
afterAll(() => idp.stop())

const hostilePaths = ['/token', '/github/token', '/google/userinfo', '/github/user', '/ovh/me', '/me']
const canary = 'CANARY-0123456789'

/** Everything of an error that could be logged: by inspection of the object, and by the logger. */
function written(error: ServiceError): string {
  const lines: string[] = []
  pino({}, { write: (line: string) => void lines.push(line) }).error(
    { err: error, cause: error.cause },
    'login',
  )
  return inspect(error, { depth: Infinity, showHidden: true }) + lines.join('')
}

const responses: readonly (readonly [string, readonly string[], Answer])[] = [
  [
    'an error that quotes a secret',
    ['/token', '/github/token'],
    { status: 400, body: { error: canary, error_description: canary } },
  ],
  [
    'a challenge that quotes a secret',
    ['/token', '/github/token'],
    { status: 401, headers: { 'www-authenticate': `Bearer error="${canary}"` }, body: {} },
  ],
  [
    'tokens without a type',
    ['/token', '/github/token'],
    { body: { access_token: canary, refresh_token: canary } },
  ],
  [
    'tokens of an unknown type',
    ['/token', '/github/token'],
    { body: { access_token: canary, token_type: canary } },
  ],
  [
    'an access token that is not a header',
    ['/token', '/github/token'],
    { body: { access_token: `${canary}\n${canary}`, token_type: 'bearer' } },
  ],
  [
    'an id token that is none',
    ['/token', '/github/token'],
    { body: { access_token: canary, token_type: 'bearer', id_token: canary } },
  ],
  [
    'an id token of another user',
    ['/token', '/github/token'],
    {
      body: {
        access_token: canary,
        token_type: 'bearer',
        id_token: `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: canary, sub: canary, aud: canary, exp: 1, iat: 1, nonce: canary })).toString('base64url')}.${canary}`,
      },
    },
  ],
  ['tokens that are not JSON', ['/token', '/github/token'], { body: `${canary} <html>` }],
  [
    'a profile that is not JSON',
    ['/google/userinfo', '/github/user', '/ovh/me', '/me'],
    { body: `${canary} <html>` },
  ],
  [
    'a profile of wrong types',
    ['/google/userinfo', '/github/user', '/ovh/me', '/me'],
    { body: { sub: canary, email: [canary], login: [canary], customerCode: [canary] } },
  ],
  ['a failure that quotes a secret', ['/token', '/github/token'], { status: 500, body: { error: canary } }],
]

test.each(externalProviders.flatMap((name) => responses.map((reply) => [name, ...reply] as const)))(
  '%s: no error contains a secret after %s',
  async (name, _case, paths, reply) => {
    const application = idp.applications[name]
    const provider = openProvider(idp, name)
    const { returned, attempt } = await returnFrom(idp, provider, 'alice')
    for (const path of paths) idp.respond(path, reply)
    const text = written(await loginError(provider.finish(returned, attempt)))
    const secrets = [
      canary,
      returned.searchParams.get('code') ?? '',
      application.clientSecret,
      ...(Object.values(attempt) as string[]),
    ]
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  },
)

test.each(externalProviders)('%s: no error contains a secret after a forged response', async (name) => {
  const provider = openProvider(idp, name)
  const { returned, attempt } = await returnFrom(idp, provider, 'alice')
  const forged = [
    withParameter(returned, 'state', canary),
    withParameter(returned, 'iss', canary),
    withParameter(returned, 'response', canary),
    withParameter(returned, 'error', canary),
    withParameter(withParameter(returned, 'error', 'access_denied'), 'error_description', canary),
    withParameter(returned, 'id_token', canary),
    withParameter(returned, 'code', canary),
  ]
  for (const reply of forged) {
    const text = written(await loginError(provider.finish(reply, attempt)))
    const secrets = [canary, returned.searchParams.get('code') ?? '', attempt.state, attempt.codeVerifier]
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  }
})

test('the error of a rejected login still has the cause and the endpoint', async () => {
  const provider = openProvider(idp, 'oidc')
  const { returned, attempt } = await returnFrom(idp, provider, 'alice')
  const { cause } = await loginError(provider.finish(withParameter(returned, 'state', 'forged'), attempt))
  expect(inspect(cause, { depth: Infinity })).toMatch(
    /unexpected "state" \(issuer\) response|unexpected "state" response parameter value[^]*at .*openid-connect\.ts/,
  )
})
