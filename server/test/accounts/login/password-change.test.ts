import type { CliLoginStart } from '@svc/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recommendedCost } from '../../../src/auth/passwords.ts'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import {
  createUser,
  createUserToken,
  signIn,
  userPassword,
  type SignedIn,
} from '../../support/clients/accounts.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { write } from '../../support/databases/sqlite-writes.ts'
import {
  call,
  freshLogin,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let member: Member
beforeAll(async () => {
  server = await startServerWithAccounts()
})
beforeEach(async () => {
  member = await newMember(server)
})
afterAll(() => server.close())

const password = 'a whole new one'
const change = (as: SignedIn, body: object, headers = {}) => call(server, 'PATCH /me', { as, body, headers })
const isSignedIn = async (as: SignedIn) => (await call(server, 'GET /me', { as })).status === 200
const canSignIn = async (attempted: string, { login } = member) =>
  (await call(server, 'POST /auth/local/login', { body: { login, password: attempted } })).status === 200

test('the current password allows a new one, and is invalid afterwards', async () => {
  const response = await change(member.session, { currentPassword: userPassword, password })
  expect([response.status, jsonIn(response)]).toEqual([200, expect.objectContaining({ id: member.id })])
  expect(response.text).not.toContain('assword')
  expect([await canSignIn(userPassword), await canSignIn(password)]).toEqual([false, true])
})

test('a change ends every other session, and keeps the requesting one', async () => {
  const elsewhere = await signIn(server, { login: member.login, password: userPassword })
  await change(member.session, { currentPassword: userPassword, password })
  expect([await isSignedIn(elsewhere), await isSignedIn(member.session)]).toEqual([false, true])
})

const use = async (token: string) =>
  (await call(server, 'POST /upload', { headers: { 'x-svctoken': token }, body: {} })).status

test('tokens of the user stay, unless their revocation is requested', async () => {
  const token = await createUserToken(server, member.session)
  await change(member.session, { currentPassword: userPassword, password })
  expect(await use(token)).toBe(200)
  const login = await approvedLogin()
  const body = { currentPassword: password, password: userPassword, revokeTokens: true }
  expect((await change(member.session, body)).status).toBe(200)
  expect(await use(token)).toBe(403)
  expect((await call(server, 'POST /auth/cli/poll', { body: login })).status).toBe(404)
  expect(await isSignedIn(member.session)).toBe(true)
})

/** A command line that a user has let in, and that has not fetched its token. */
async function approvedLogin() {
  const init = await call(server, 'POST /auth/cli/init', { body: {} })
  const { code, secret } = jsonIn(init) as CliLoginStart
  await call(server, 'POST /auth/cli/approve', { as: member.session, body: { code } })
  return { code, secret }
}

test('tokens are revoked with a new password only', async () => {
  const token = await createUserToken(server, member.session)
  expect(errorIn(await change(member.session, { name: 'New', revokeTokens: true }))).toEqual({
    status: 400,
    code: 'invalid_request',
  })
  expect(await use(token)).toBe(200)
  expect(jsonIn(await call(server, 'GET /me', { as: member.session }))).toMatchObject({ name: '' })
})

test('a password that an admin sets ends every session, token and approved login', async () => {
  const [token, login] = [await createUserToken(server, member.session), await approvedLogin()]
  const other = await newMember(server)
  const kept = await createUserToken(server, other.session)
  await call(server, `POST /user/${member.id}`, { as: server.admin, body: { name: 'Renamed' } })
  expect([await use(token), await isSignedIn(member.session)]).toEqual([200, true])
  await call(server, `POST /user/${member.id}`, { as: server.admin, body: { password } })
  expect([await use(token), await isSignedIn(member.session)]).toEqual([403, false])
  expect((await call(server, 'POST /auth/cli/poll', { body: login })).status).toBe(404)
  expect([await use(kept), await isSignedIn(other.session)]).toEqual([200, true])
})

test.each([
  ['without the current password', { password }, 400, 'invalid_request'],
  ['with a wrong one', { currentPassword: 'wrong horse', password }, 401, 'wrong_credentials'],
  ['with an empty one', { currentPassword: '', password }, 401, 'wrong_credentials'],
  ['with the new one as the current', { currentPassword: password, password }, 401, 'wrong_credentials'],
  [
    'to one that is too short',
    { currentPassword: userPassword, password: '1234567' },
    400,
    'invalid_request',
  ],
  [
    'to one that is too long',
    { currentPassword: userPassword, password: 'x'.repeat(129) },
    400,
    'invalid_request',
  ],
  ['to none', { currentPassword: userPassword, password: '' }, 400, 'invalid_request'],
  [
    'with an invalid name',
    { currentPassword: userPassword, password, name: '\u0007' },
    400,
    'invalid_request',
  ],
])('a change %s changes nothing', async (_what, body, status, code) => {
  const elsewhere = await signIn(server, { login: member.login, password: userPassword })
  const before = lookUp(server, `select passwordHash from users where id = '${member.id}'`)
  expect(errorIn(await change(member.session, { name: 'New', ...body }))).toEqual({ status, code })
  expect(lookUp(server, `select passwordHash from users where id = '${member.id}'`)).toEqual(before)
  expect(jsonIn(await call(server, 'GET /me', { as: elsewhere }))).toMatchObject({ name: '' })
})

test('the shortest and the longest password are accepted', async () => {
  await change(member.session, { currentPassword: userPassword, password: '12345678' })
  const longest = '🗿'.repeat(128)
  const response = await change(member.session, { currentPassword: '12345678', password: longest })
  expect([response.status, await canSignIn(longest)]).toEqual([200, true])
})

test('the current password alone changes nothing, and other changes do not need it', async () => {
  const response = await change(member.session, { currentPassword: 'wrong horse', name: 'New' })
  expect([response.status, jsonIn(response)]).toEqual([200, expect.objectContaining({ name: 'New' })])
  expect(await canSignIn(userPassword)).toBe(true)
})

test('an impersonating admin cannot change a password this way, with the password of either user', async () => {
  const headers = { 'x-svc-impersonate': member.id }
  for (const currentPassword of [userPassword, 'correct horse']) {
    const response = await change(server.admin, { currentPassword, password }, headers)
    expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
  }
  expect([await canSignIn(userPassword), await isSignedIn(member.session)]).toEqual([true, true])
})

test('an admin sets the password of a user, which ends all its sessions', async () => {
  const response = await call(server, `POST /user/${member.id}`, { as: server.admin, body: { password } })
  expect([response.status, response.text.includes('assword')]).toEqual([200, false])
  expect(await isSignedIn(member.session)).toBe(false)
  expect([await canSignIn(userPassword), await canSignIn(password)]).toEqual([false, true])
})

test('a user cannot change the password without the current one, on any route', async () => {
  for (const body of [
    { password },
    { password, currentPassword: userPassword },
    { password, id: member.id },
  ]) {
    const response = await call(server, `POST /user/${member.id}`, { as: member.session, body })
    expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
  }
  expect(await canSignIn(userPassword)).toBe(true)
})

test('users of a provider have no password, and cannot get one', async () => {
  const { id } = await createUser(server, server.admin, { login: freshLogin(), provider: 'idp2' })
  const byAdmin = await call(server, `POST /user/${id}`, { as: server.admin, body: { password } })
  expect(errorIn(byAdmin)).toEqual({ status: 400, code: 'invalid_request' })
  const body = { provider: 'oidc', login: freshLogin(), password }
  const created = await call(server, 'POST /user', { as: server.admin, body })
  expect(errorIn(created)).toEqual({ status: 400, code: 'invalid_request' })
})

test('two parallel changes leave one password and one session', async () => {
  const other = await signIn(server, { login: member.login, password: userPassword })
  const responses = await Promise.all([
    change(member.session, { currentPassword: userPassword, password: 'first new one' }),
    change(other, { currentPassword: userPassword, password: 'second new one' }),
  ])
  expect(responses.map(({ status }) => status)).toContain(200)
  const sessions = [await isSignedIn(member.session), await isSignedIn(other)]
  const passwords = [await canSignIn('first new one'), await canSignIn('second new one')]
  expect(passwords.filter(Boolean)).toHaveLength(1)
  expect(sessions.filter(Boolean).length).toBeLessThanOrEqual(1)
})

/** Someone else sets a password, which ends the sessions, right after the server has found the old one right. */
async function whileAnotherIsSet<Result>(begin: () => Promise<Result>): Promise<Result> {
  const { id } = await newMember(server, { password: 'set by another' })
  const [hash] = lookUp(server, `select passwordHash from users where id = '${id}'`)
  // That a guess was none is written down at that moment.
  const trigger = `create trigger another after delete on attempts begin
    update users set passwordHash = '${String(hash)}' where id = '${member.id}';
    delete from sessions where userId = '${member.id}';
  end`
  await write(server, trigger)
  try {
    return await begin()
  } finally {
    await write(server, 'drop trigger another')
  }
}

test('an old password whose check overlaps its change opens no session', async () => {
  const response = await whileAnotherIsSet(() =>
    call(server, 'POST /auth/local/login', { body: { login: member.login, password: userPassword } }),
  )
  expect(errorIn(response)).toEqual({ status: 401, code: 'wrong_credentials' })
  expect(response.headers['set-cookie']).toBeUndefined()
  expect(lookUp(server, `select count(*) from sessions where userId = '${member.id}'`)).toEqual([0])
  expect(await canSignIn('set by another')).toBe(true)
})

test('an old password whose check overlaps its change sets no other password', async () => {
  const response = await whileAnotherIsSet(() =>
    change(member.session, { currentPassword: userPassword, password }),
  )
  expect(errorIn(response)).toEqual({ status: 401, code: 'wrong_credentials' })
  expect([await canSignIn(password), await canSignIn('set by another')]).toEqual([false, true])
})

test('a hash is argon2id with a random salt, and appears in no response', async () => {
  const real = await startServerWithAccounts({ passwordCost: recommendedCost })
  const [member, twin] = [await newMember(real), await newMember(real)]
  const hashes = lookUp(
    real,
    `select passwordHash from users where id in ('${member.id}', '${twin.id}')`,
  ) as string[]
  for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w-]{22}\$[\w-]{43}$/)
  expect(new Set(hashes).size).toBe(2)
  for (const line of [
    'GET /users?limit=500',
    `GET /user/${member.id}`,
    'GET /users/search?q=user',
  ] as const) {
    expect((await call(real, line, { as: real.admin })).text).not.toMatch(/argon2|assword/)
  }
  await real.close()
})
