import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { createUser, root, sessionIn, signIn, userPassword } from '../../support/clients/accounts.ts'
import { startTestServer } from '../../support/servers/test-server.ts'
import {
  call,
  freshLogin,
  newMember,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts()
})
afterAll(() => server.close())

const login = (body: unknown, at: Pick<ServerWithAccounts, 'url'> = server) =>
  call(at, 'POST /auth/local/login', { body })

test('the right password opens a session of the user', async () => {
  const response = await login(root)
  expect([response.status, response.text, response.headers['content-type']]).toEqual([
    200,
    'ok',
    'text/plain; charset=utf-8',
  ])
  const me = await call(server, 'GET /me', { as: sessionIn(response) })
  expect(jsonIn(me)).toEqual({
    id: 'local:root',
    provider: 'local',
    login: 'root',
    name: '',
    email: '',
    theme: '',
    language: '',
    admin: true,
    maxFileSize: 0,
    maxUserSize: 0,
    maxTTL: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
  })
})

test('a wrong password and an unknown login get the same error, and set no cookie', async () => {
  const wrong = await login({ ...root, password: 'wrong horse' })
  const unknown = await login({ ...root, login: 'nobody' })
  expect([wrong.status, jsonIn(wrong)]).toEqual([
    401,
    { message: 'wrong login or password', code: 'wrong_credentials' },
  ])
  expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text])
  for (const { headers } of [wrong, unknown]) {
    expect([headers['set-cookie'], headers['www-authenticate']]).toEqual([undefined, undefined])
  }
})

test.each([
  ['an empty password', { ...root, password: '' }],
  ['another case of the password', { ...root, password: root.password.toUpperCase() }],
  ['a space after the password', { ...root, password: `${root.password} ` }],
  ['a beginning of the password', { ...root, password: root.password.slice(0, -1) }],
  ['another case of the login', { ...root, login: 'Root' }],
  ['a space after the login', { ...root, login: 'root ' }],
  ['a zero byte after the login', { ...root, login: 'root\0' }],
  ['the id instead of the login', { ...root, login: 'local:root' }],
  ['a pattern', { ...root, login: 'ro%t' }],
])('%s does not sign in', async (_what, body) => {
  expect(errorIn(await login(body))).toEqual({ status: 401, code: 'wrong_credentials' })
})

test.each([
  ['no body', undefined],
  ['no password', { login: 'root' }],
  ['no login', { password: root.password }],
  ['a login that is a list', { ...root, login: ['root'] }],
  ['a login that is an object', { ...root, login: { $ne: '' } }],
  ['a password that is a number', { ...root, password: 12345678 }],
  ['a login longer than any', { ...root, login: 'x'.repeat(129) }],
  ['a password of 1,025 characters', { ...root, password: 'x'.repeat(1025) }],
  ['a list', [root]],
])('%s is not a login at all', async (_what, body) => {
  expect(errorIn(await login(body))).toEqual({ status: 400, code: 'invalid_request' })
})

test('a password is any text in any script, up to 128 characters', async () => {
  for (const password of ['пароль 🗿 ñ', 'é'.repeat(128), ' spaces around ', '"\\\u2028%00\\0']) {
    const user = { login: freshLogin(), password }
    await createUser(server, server.admin, user)
    const session = await signIn(server, user)
    expect((await call(server, 'GET /me', { as: session })).status).toBe(200)
  }
})

test('users of a provider have no local login', async () => {
  const name = freshLogin()
  await createUser(server, server.admin, { login: name, provider: 'oidc' })
  for (const written of [name, `oidc:${name}`]) {
    const response = await login({ login: written, password: userPassword })
    expect(errorIn(response)).toEqual({ status: 401, code: 'wrong_credentials' })
  }
})

test('a new login ends the previous session of the browser, and no other', async () => {
  const { login: name, session: elsewhere } = await newMember(server)
  const before = await signIn(server, { login: name, password: userPassword })
  const after = await signIn(server, { login: name, password: userPassword }, before.headers)
  expect(after.cookie).not.toBe(before.cookie)
  expect(errorIn(await call(server, 'GET /me', { as: before })).code).toBe('invalid_session')
  expect((await call(server, 'GET /me', { as: after })).status).toBe(200)
  expect((await call(server, 'GET /me', { as: elsewhere })).status).toBe(200)
})

test('a failed login keeps the previous session of the browser', async () => {
  const { session } = await newMember(server)
  const body = { ...root, password: 'wrong horse' }
  expect((await call(server, 'POST /auth/local/login', { as: session, body })).status).toBe(401)
  expect((await call(server, 'GET /me', { as: session })).status).toBe(200)
})

test('another user may sign in in the same browser', async () => {
  const [one, other] = [await newMember(server), await newMember(server)]
  const after = await signIn(server, { login: other.login, password: userPassword }, one.session.headers)
  expect(jsonIn(await call(server, 'GET /me', { as: after }))).toMatchObject({ id: other.id })
  expect((await call(server, 'GET /me', { as: one.session })).status).toBe(403)
})

test('where the local login is disabled, no password opens a session, and sessions continue', async () => {
  const { login: name, session } = await newMember(server)
  const features = { feature_authentication: 'enabled', feature_local_login: 'disabled' } as const
  const { config, directory, clock } = server
  const closed = await startTestServer({ features, config: { accounts: config.accounts }, directory, clock })
  for (const password of [userPassword, 'wrong horse']) {
    const response = await login({ login: name, password }, closed)
    expect(errorIn(response)).toEqual({ status: 403, code: 'feature_disabled' })
    expect(response.headers['set-cookie']).toBeUndefined()
  }
  expect((await call(closed, 'GET /me', { as: session })).status).toBe(200)
  await closed.close()
})

test.each([
  'GET /me',
  'GET /users',
  'GET /auth/logout',
  'POST /auth/local/login',
  'POST /auth/cli/init',
] as const)('where signing in is disabled, %s is, too, even with a session from before', async (line) => {
  const { config, directory, clock } = server
  const closed = await startTestServer({ config: { accounts: config.accounts }, directory, clock })
  const body = line === 'POST /auth/local/login' ? root : undefined
  const response = await call(closed, line, { as: server.admin, body })
  expect(errorIn(response)).toEqual({ status: 403, code: 'feature_disabled' })
  await closed.close()
})
