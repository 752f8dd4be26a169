import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join as joined } from 'node:path'
import { isUserToken, type Page, type UserToken } from '@svc/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { createUserToken, type SignedIn } from '../../support/clients/accounts.ts'
import { userTokenKeys } from '../../../src/domain/user-token-keys.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { startTestServer } from '../../support/servers/test-server.ts'
import { write } from '../../support/databases/sqlite-writes.ts'
import {
  call,
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

const create = (body: object = {}, as: SignedIn = member.session) =>
  call(server, 'POST /me/token', { as, body })
const use = (token: string) => call(server, 'POST /upload', { headers: { 'x-svctoken': token }, body: {} })
const list = async (as: SignedIn = member.session) =>
  (jsonIn(await call(server, 'GET /me/token', { as })) as Page<UserToken>).results
const invalid = { status: 403, code: 'invalid_token' }
const later = (ms: number) => new Date(server.clock.now() + ms).toISOString()

test('a token is returned with its comment, and acts for its owner', async () => {
  const response = await create({ comment: 'laptop' })
  const { id, token } = jsonIn(response) as UserToken
  expect(jsonIn(response)).toEqual({ id, token, comment: 'laptop', createdAt: later(0) })
  expect(id).toMatch(/^[0-9A-Za-z]{16}$/)
  expect(token).toMatch(/^svct_[0-9A-Za-z]{36}$/)
  expect(isUserToken(token)).toBe(true)
  expect(jsonIn(await use(token))).toMatchObject({ user: member.id, admin: true })
})

test('a token is shown whole once: lists have its id and its beginning, and the database has its hash', async () => {
  const { id, token } = jsonIn(await create()) as UserToken
  await use(token)
  expect(await list()).toMatchObject([{ id, token: `${token.slice(0, 9)}…` }])
  expect(lookUp(server, `select prefix from tokens where id = '${id}'`)).toEqual([token.slice(0, 9)])
  const files = (await readdir(server.directory)).filter((name) => name.startsWith('svc.db'))
  const kept = await Promise.all(files.map((name) => readFile(joined(server.directory, name), 'latin1')))
  expect(kept.join('')).toContain(id)
  expect(kept.join('')).not.toContain(token.slice(9))
})

test('a user has at most a thousand tokens, of which expired ones do not count', async () => {
  await create()
  await write(
    server,
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 998)
    insert into tokens (id, tokenHash, prefix, userId, comment, createdAt, expireAt)
    select printf('%016d', n), '', 'svct_', ?, '', ?, case when n <= 2 then ? end from numbers`,
    member.id,
    server.clock.now(),
    server.clock.now() + 1_000,
  )
  expect((await create()).status).toBe(200)
  const refused = await create()
  expect(errorIn(refused)).toEqual({ status: 409, code: 'too_many_tokens' })
  expect(await createUserToken(server, (await newMember(server)).session)).toMatch(/^svct_/)
  server.clock.advance(1_000)
  expect([(await create()).status, (await create()).status, (await create()).status]).toEqual([200, 200, 409])
})

test('no two tokens are alike', async () => {
  const tokens = await Promise.all(Array.from({ length: 20 }, () => createUserToken(server, member.session)))
  expect(new Set(tokens).size).toBe(20)
})

test('a comment is any text up to 256 characters', async () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(texts, async (comment) => {
      const { id } = jsonIn(await create({ comment })) as UserToken
      expect((await list()).find((listed) => listed.id === id)?.comment).toBe(comment)
      await call(server, `DELETE /me/token/${id}`, { as: member.session })
    }),
    {
      numRuns: 40,
      examples: [['<script>alert(1)</script>'], ["'; drop table tokens; --"], ['\u202eabc\u0001']],
    },
  )
  expect((await create({ comment: '🗿'.repeat(256) })).status).toBe(200)
  expect(errorIn(await create({ comment: 'x'.repeat(257) })).code).toBe('invalid_request')
})

test('a token with an expiry works before it, not at it', async () => {
  const response = await create({ expiresAt: later(5_000) })
  const { token, expiresAt } = jsonIn(response) as UserToken
  expect(expiresAt).toBe(later(5_000))
  server.clock.advance(4_999)
  expect((await use(token)).status).toBe(200)
  server.clock.advance(1)
  expect(errorIn(await use(token))).toEqual(invalid)
})

test('an expiry is in the future, in the format of RFC 3339', async () => {
  expect((await create({ expiresAt: later(1) })).status).toBe(200)
  expect((await create({ expiresAt: '2030-01-31T12:00:00+02:00' })).status).toBe(200)
  expect((await create({ expiresAt: '2096-02-29T00:00:00Z' })).status).toBe(200)
  for (const expiresAt of [
    '2099-02-30T00:00:00Z',
    '2099-02-29T00:00:00Z',
    later(0),
    later(-1),
    '',
    'tomorrow',
    '2030-01-31',
    '2030-13-31T12:00:00Z',
    '2030-01-31 12:00:00',
    '2030-01-31T12:00:00',
    '+275761-01-01T00:00:00Z',
    'Thu, 31 Jan 2030 12:00:00 GMT',
  ]) {
    expect([expiresAt, errorIn(await create({ expiresAt }))]).toEqual([
      expiresAt,
      { status: 400, code: 'invalid_request' },
    ])
  }
  expect((await create({ expiresAt: 1_900_000_000 })).status).toBe(400)
  // Null counts as absent.
  expect(jsonIn(await create({ expiresAt: null }))).not.toHaveProperty('expiresAt')
})

test('a legacy token works in its original spelling', async () => {
  const token = randomUUID()
  const { id, tokenHash, prefix } = userTokenKeys(token)
  const insert =
    'insert into tokens (id, tokenHash, prefix, userId, comment, createdAt) values (?, ?, ?, ?, ?, ?)'
  await write(server, insert, id, tokenHash, prefix, member.id, 'old', 1)
  expect(jsonIn(await use(token))).toMatchObject({ user: member.id })
  expect(await list()).toContainEqual(expect.objectContaining({ id, comment: 'old' }))
  expect((await call(server, `DELETE /me/token/${token}`, { as: member.session })).text).toBe('ok')
  expect(errorIn(await use(token))).toEqual(invalid)
})

test('an invalid token is rejected, and does not count as a guest', async () => {
  const token = await createUserToken(server, member.session)
  const last = token.endsWith('0') ? '1' : '0'
  const wrong = [
    '',
    'x',
    token.slice(0, -1),
    `${token}0`,
    token.slice(0, -1) + last,
    token.toLowerCase(),
    token.replace('svct_', 'svcx_'),
    `svct_${'0'.repeat(36)}`,
    randomUUID(),
    `${token}, ${token}`,
    userTokenKeys(token).id,
    userTokenKeys(token).tokenHash,
    token.slice(0, 9),
    "' or 1=1 --",
  ]
  for (const value of wrong) expect([value, errorIn(await use(value))]).toEqual([value, invalid])
})

test('the last use is kept to the minute', async () => {
  const token = await createUserToken(server, member.session)
  expect((await list())[0]).not.toHaveProperty('lastUsedAt')
  await use(token)
  const first = later(0)
  expect((await list())[0]?.lastUsedAt).toBe(first)
  server.clock.advance(59_999)
  await use(token)
  expect((await list())[0]?.lastUsedAt).toBe(first)
  server.clock.advance(1)
  await use(token)
  expect((await list())[0]?.lastUsedAt).toBe(later(0))
})

test('a revoked token stops working at once, and can be revoked once', async () => {
  const [token, kept] = [
    await createUserToken(server, member.session),
    await createUserToken(server, member.session),
  ]
  await use(token)
  expect((await call(server, `DELETE /me/token/${token}`, { as: member.session })).text).toBe('ok')
  expect(errorIn(await use(token))).toEqual(invalid)
  const again = await call(server, `DELETE /me/token/${token}`, { as: member.session })
  expect(errorIn(again)).toEqual({ status: 404, code: 'token_not_found' })
  expect((await use(kept)).status).toBe(200)
})

test('a token is revoked by its id, too', async () => {
  const { id, token } = jsonIn(await create()) as UserToken
  expect((await call(server, `DELETE /me/token/${id}`, { as: member.session })).text).toBe('ok')
  expect(errorIn(await use(token))).toEqual(invalid)
})

test('an id of another hash is not a token', async () => {
  const token = await createUserToken(server, member.session)
  const { id } = userTokenKeys(token)
  await write(server, 'update tokens set tokenHash = ? where id = ?', userTokenKeys('another').tokenHash, id)
  expect(errorIn(await use(token))).toEqual(invalid)
})

test('no one sees or revokes the token of another user: neither a user nor an admin', async () => {
  const token = await createUserToken(server, member.session)
  const other = await newMember(server)
  for (const as of [other.session, server.admin]) {
    const { id } = userTokenKeys(token)
    expect(await list(as)).not.toContainEqual(expect.objectContaining({ id }))
    for (const path of [token, id, '%25', `${token.slice(0, -1)}_`] as const) {
      const response = await call(server, `DELETE /me/token/${path}`, { as })
      expect(errorIn(response)).toEqual({ status: 404, code: 'token_not_found' })
    }
  }
  expect((await use(token)).status).toBe(200)
})

test('a token ends with its user', async () => {
  const token = await createUserToken(server, member.session)
  await call(server, `DELETE /user/${member.id}`, { as: server.admin })
  expect(errorIn(await use(token))).toEqual(invalid)
  expect(lookUp(server, `select count(*) from tokens where userId = '${member.id}'`)).toEqual([0])
})

test("a token does not allow changes of its owner's account, and has no admin rights", async () => {
  const token = await createUserToken(server, server.admin)
  const headers = { 'x-svctoken': token }
  for (const line of ['GET /me', 'GET /me/token', 'GET /users', 'GET /uploads', 'GET /stats'] as const) {
    expect(errorIn(await call(server, line, { headers }))).toEqual({ status: 401, code: 'login_required' })
  }
  const { id } = jsonIn(await call(server, 'POST /upload', { as: member.session, body: {} })) as {
    id: string
  }
  const removal = await call(server, `DELETE /upload/${id}`, { headers })
  expect(errorIn(removal)).toEqual({ status: 403, code: 'not_allowed' })
  const acting = { ...headers, 'x-svc-impersonate': member.id }
  expect(errorIn(await call(server, 'POST /upload', { headers: acting, body: {} }))).toEqual({
    status: 403,
    code: 'not_allowed',
  })
})

test('where tokens are disabled, none is created or used; existing ones can be listed and revoked', async () => {
  const token = await createUserToken(server, member.session)
  const features = { feature_authentication: 'enabled', feature_api_tokens: 'disabled' } as const
  const { config, directory, clock } = server
  const closed = await startTestServer({ features, config: { accounts: config.accounts }, directory, clock })
  const disabled = { status: 403, code: 'feature_disabled' }
  const upload = await call(closed, 'POST /upload', { headers: { 'x-svctoken': token }, body: {} })
  expect(errorIn(upload)).toEqual(disabled)
  const made = await call(closed, 'POST /me/token', { as: member.session, body: {} })
  expect(errorIn(made)).toEqual(disabled)
  expect(jsonIn(await call(closed, 'GET /me/token', { as: member.session }))).toMatchObject({ total: 1 })
  expect((await call(closed, `DELETE /me/token/${token}`, { as: member.session })).text).toBe('ok')
  await closed.close()
})
