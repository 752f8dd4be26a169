import type { User } from '@svc/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { accountsConfig, root, sessionIn, signIn, type SignedIn } from '../../support/clients/accounts.ts'
import {
  startIdentityProvider,
  type Person,
  type TestIdentityProvider,
} from '../../support/identity-provider/identity-provider.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { begin, comeBack, logIn, type ProviderName } from './provider-login.ts'
import {
  call,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

const people: readonly Person[] = [
  { login: 'ada', name: 'Ada Lovelace', email: 'ada@example.test', customerCode: 'al-1815' },
  { login: 'root', subject: 'root', name: 'Not Root', email: 'root@example.test', customerCode: 'root' },
]

let provider: TestIdentityProvider
let server: ServerWithAccounts
beforeAll(async () => {
  provider = await startIdentityProvider({ people })
})
beforeEach(async () => {
  const accounts = { ...accountsConfig, providers: provider.applications }
  server = await startServerWithAccounts({ config: { accounts } })
  provider.put(people[0] ?? { login: 'ada' })
  return () => server.close()
})
afterAll(() => provider.stop())

const me = async (as: SignedIn) => jsonIn(await call(server, 'GET /me', { as })) as User
const names = ['idp1', 'idp2', 'idp3', 'oidc'] as const
const ids: Readonly<Record<ProviderName, string>> = {
  idp1: 'idp1:ada@example.test',
  idp2: 'idp2:ada',
  idp3: 'idp3:al-1815',
  oidc: 'oidc:subject-of-ada',
}

test.each(names)('the first login at %s creates its user without special rights', async (name) => {
  const response = await logIn(server, provider, name, 'ada')
  expect([response.status, response.headers.location]).toEqual([302, '/#/login'])
  expect(await me(sessionIn(response))).toMatchObject({
    id: ids[name],
    provider: name,
    name: 'Ada Lovelace',
    email: 'ada@example.test',
    admin: false,
    maxFileSize: 0,
    maxUserSize: 0,
    maxTTL: 0,
  })
})

test.each(names)('the second login at %s finds the same user, and takes over a new name', async (name) => {
  const first = sessionIn(await logIn(server, provider, name, 'ada'))
  const { id } = await me(first)
  await call(server, `POST /user/${encodeURIComponent(id)}`, {
    as: server.admin,
    body: { maxUserSize: 7, admin: true },
  })
  await call(server, 'PATCH /me', { as: first, body: { theme: 'dark' } })
  provider.put({ ...people[0], login: 'ada', name: 'Countess Lovelace' })
  server.clock.advance(1_000)
  const second = await me(sessionIn(await logIn(server, provider, name, 'ada')))
  expect(second).toMatchObject({ id, name: 'Countess Lovelace', maxUserSize: 7, admin: true, theme: 'dark' })
  expect(second.createdAt).toBe('2026-01-01T00:00:00.000Z')
  expect(lookUp(server, 'select count(*) from users')).toEqual([2])
})

test('two parallel first logins create one user', async () => {
  const responses = await Promise.all([1, 2, 3].map(() => logIn(server, provider, 'oidc', 'ada')))
  expect(responses.map(({ headers }) => headers.location)).toEqual(['/#/login', '/#/login', '/#/login'])
  expect(lookUp(server, 'select count(*) from users')).toEqual([2])
})

test('a user that an admin created beforehand is found at the first login', async () => {
  const body = { provider: 'idp2', login: 'ada', maxUserSize: 9, admin: true }
  await call(server, 'POST /user', { as: server.admin, body })
  const user = await me(sessionIn(await logIn(server, provider, 'idp2', 'ada')))
  expect(user).toMatchObject({ id: 'idp2:ada', maxUserSize: 9, admin: true, name: 'Ada Lovelace' })
})

test.each([
  ['idp1', 'Ada@Example.TEST'],
  ['idp2', 'Ada'],
] as const)('so is one at %s whose name the admin wrote in another case: %s', async (name, login) => {
  const body = { provider: name, login, maxUserSize: 9, admin: true }
  const created = jsonIn(await call(server, 'POST /user', { as: server.admin, body }))
  expect(created).toMatchObject({ id: ids[name], login })
  const user = await me(sessionIn(await logIn(server, provider, name, 'ada')))
  expect(user).toMatchObject({ id: ids[name], maxUserSize: 9, admin: true })
  const twice = await call(server, 'POST /user', {
    as: server.admin,
    body: { provider: name, login: login.toUpperCase() },
  })
  expect(errorIn(twice)).toEqual({ status: 409, code: 'user_exists' })
})

test.each(names)('a user of %s with the login of a local admin is a different user', async (name) => {
  const user = await me(sessionIn(await logIn(server, provider, name, 'root')))
  expect(user.id).not.toBe('local:root')
  expect([user.provider, user.admin]).toEqual([name, false])
  expect(await me(server.admin)).toMatchObject({ id: 'local:root', admin: true, name: '' })
  await signIn(server, root)
})

test('a login of a provider does not work as a local login', async () => {
  await logIn(server, provider, 'idp2', 'ada')
  const body = { login: 'ada', password: '' }
  const response = await call(server, 'POST /auth/local/login', { body })
  expect(errorIn(response)).toEqual({ status: 401, code: 'wrong_credentials' })
})

test('a login ends the previous session of the browser', async () => {
  const before = await signIn(server, root)
  const begun = await begin(server, 'oidc')
  const returned = await provider.signIn(begun.consentURL, 'ada')
  const response = await comeBack(server, returned, `${begun.cookie}; ${before.cookie}`)
  expect(await me(sessionIn(response))).toMatchObject({ id: ids.oidc })
  expect((await call(server, 'GET /me', { as: before })).status).toBe(403)
})

test('the cookie of a login in progress is limited to this login, and removed with it', async () => {
  const begun = await begin(server, 'oidc')
  expect(begun.attributes).toBe('; Max-Age=600; Path=/; HttpOnly; SameSite=Lax')
  const asSession = { cookie: begun.cookie.replace('svc-login', 'svc-session') }
  expect(errorIn(await call(server, 'GET /me', { headers: asSession })).code).toBe('invalid_session')
  const response = await comeBack(server, await provider.signIn(begun.consentURL, 'ada'), begun.cookie)
  const cleared = (response.headers['set-cookie'] ?? []).find((set) => set.startsWith('svc-login='))
  expect(cleared).toBe('svc-login=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
})

test('with a domain and a path prefix, the browser is redirected there and back', async () => {
  const accounts = { ...accountsConfig, providers: provider.applications }
  const config = { accounts, path: '/files', svcDomain: 'http://127.0.0.1:9', assumeHTTPS: true }
  const prefixed = await startServerWithAccounts({ config })
  const begun = await begin(prefixed, 'oidc')
  expect(begun.attributes).toBe('; Max-Age=600; Path=/files; HttpOnly; Secure; SameSite=Lax')
  const returned = await provider.signIn(begun.consentURL, 'ada')
  expect(returned.origin + returned.pathname).toBe('http://127.0.0.1:9/files/auth/oidc/callback')
  const response = await comeBack(prefixed, returned, begun.cookie)
  expect([response.status, response.headers.location]).toEqual([302, '/files/#/login'])
  expect(jsonIn(await call(prefixed, 'GET /me', { as: sessionIn(response) }))).toMatchObject({ id: ids.oidc })
  await prefixed.close()
})

test('the configuration lists the providers, and no secrets', async () => {
  const { text } = await call(server, 'GET /config')
  expect(JSON.parse(text)).toMatchObject({
    idp1Authentication: true,
    idp2Authentication: true,
    idp3Authentication: true,
    oidcAuthentication: true,
    oidcProviderName: 'OpenID',
  })
  expect(text).not.toMatch(/-secret|-client/)
})
