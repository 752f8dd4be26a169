import { afterAll, beforeAll, expect, test } from 'vitest'
import { userTokenKeys } from '../../../src/domain/user-token-keys.ts'
import { jsonIn } from '../../support/clients/send-request.ts'
import { signIn, userPassword } from '../../support/clients/accounts.ts'
import { lookUp } from '../../support/servers/server-data.ts'
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

/** Columns of the table of users that no request may write, and the values that an attacker would want there. */
const forbiddenFields = {
  admin: true,
  maxFileSize: -1,
  maxUserSize: -1,
  maxTTL: -1,
  usedSize: -1_000_000,
  passwordHash: null,
  provider: 'oidc',
  issuer: 'https://evil.test',
  login: 'root',
  createdAt: 0,
  id: 'local:root',
  noSuchColumn: 1,
} as const

const row = (id: string) =>
  lookUp(
    server,
    `select json_object('admin', admin, 'maxFileSize', maxFileSize, 'maxUserSize', maxUserSize, 'maxTTL', maxTTL,
      'usedSize', usedSize, 'hash', passwordHash is not null, 'provider', provider, 'issuer', issuer, 'login', login,
      'created', createdAt, 'name', name) from users where id = '${id}'`,
  ).map((found) => JSON.parse(String(found)) as object)

test.each(Object.entries(forbiddenFields))(
  'a profile update that carries %s changes the name only',
  async (field, value) => {
    const { id, session } = await newMember(server)
    const before = row(id)
    const response = await call(server, 'PATCH /me', {
      as: session,
      body: { name: 'New Name', [field]: value },
    })
    expect(response.status).toBe(200)
    expect(jsonIn(response)).toMatchObject({ id, admin: false, maxUserSize: 0, name: 'New Name' })
    expect(row(id)).toEqual(before.map((found) => ({ ...found, name: 'New Name' })))
  },
)

test.each(['usedSize', 'passwordHash', 'provider', 'issuer', 'login', 'createdAt', 'noSuchColumn'] as const)(
  "an update of one's own account by id that carries %s changes the name only",
  async (field) => {
    const { id, login, session } = await newMember(server)
    const before = row(id)
    const body = { name: 'New Name', [field]: forbiddenFields[field] }
    expect((await call(server, `POST /user/${id}`, { as: session, body })).status).toBe(200)
    expect(row(id)).toEqual(before.map((found) => ({ ...found, name: 'New Name' })))
    await signIn(server, { login, password: userPassword })
  },
)

test('not even an admin can write fields that the server maintains', async () => {
  const login = freshLogin()
  const { usedSize, passwordHash, issuer, createdAt, noSuchColumn } = forbiddenFields
  const kept = { usedSize, passwordHash, issuer, createdAt, noSuchColumn }
  const body = { provider: 'local', login, password: userPassword, ...kept }
  expect((await call(server, 'POST /user', { as: server.admin, body })).status).toBe(200)
  const id = `local:${login}`
  const before = row(id)
  expect(before).toMatchObject([{ usedSize: 0, hash: 1, issuer: null, created: server.clock.now() }])
  expect((await call(server, `POST /user/${id}`, { as: server.admin, body: kept })).status).toBe(200)
  expect(row(id)).toEqual(before)
})

test('a sign-in ignores undeclared fields', async () => {
  const { id, login } = await newMember(server)
  const before = row(id)
  const body = { ...forbiddenFields, login, password: userPassword }
  expect((await call(server, 'POST /auth/local/login', { body })).status).toBe(200)
  expect(row(id)).toEqual(before)
})

test('the creation of a token ignores undeclared fields', async () => {
  const { id, session } = await newMember(server)
  const undeclared = { id: 'a'.repeat(16), tokenHash: 'h', renewal: 1, prefix: 'p' }
  const body = {
    comment: 'c',
    userId: 'local:root',
    token: 'svct_mine',
    createdAt: 0,
    usedAt: 5,
    ...undeclared,
  }
  const created = await call(server, 'POST /me/token', { as: session, body })
  const { token } = jsonIn(created) as { token: string }
  const keys = userTokenKeys(token)
  expect(jsonIn(created)).toEqual({
    id: keys.id,
    token,
    comment: 'c',
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  const query = `select json_array(userId, tokenHash, prefix, scopes, renewal) from tokens where id = '${keys.id}'`
  expect(lookUp(server, query)).toEqual([JSON.stringify([id, keys.tokenHash, token.slice(0, 9), null, null])])
})
