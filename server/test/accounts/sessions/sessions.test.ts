import type { Session } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { createUser, root, signIn, userPassword, type SignedIn } from '../../support/clients/accounts.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { write } from '../../support/databases/sqlite-writes.ts'
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
  server = await startServerWithAccounts({ config: { trustedProxies: ['127.0.0.0/8'] } })
})
afterAll(() => server.close())

const list = async (as: SignedIn) => jsonIn(await call(server, 'GET /me/sessions', { as })) as Session[]
const idOf = async (as: SignedIn) => (await list(as)).find(({ current }) => current)?.id ?? ''
const isSignedIn = async (as: SignedIn, at: Pick<ServerWithAccounts, 'url'> = server) => {
  const { status, text } = await call(at, 'GET /me', { as })
  if (status === 200) return true
  expect(errorIn({ status, text } as never)).toEqual({ status: 403, code: 'invalid_session' })
  return false
}

test('own sessions are listed newest first, with their address and browser', async () => {
  const name = freshLogin()
  await createUser(server, server.admin, { login: name })
  const person = { login: name, password: userPassword }
  await signIn(server, person, { 'user-agent': 'first <b>', 'x-forwarded-for': '192.0.2.1' })
  server.clock.advance(1_000)
  const second = await signIn(server, person, {
    'user-agent': 'ü'.repeat(300),
    'x-forwarded-for': '2001:db8::1',
  })
  const at = (ms: number) => new Date(server.clock.now() + ms).toISOString()
  const id = expect.stringMatching(/^\w{32}$/) as string
  const month = 30 * 24 * 3_600_000
  expect(await list(second)).toEqual([
    {
      id,
      current: true,
      userAgent: 'Ã¼'.repeat(128),
      address: '2001:db8::1',
      createdAt: at(0),
      lastUsedAt: at(0),
      expireAt: at(month),
    },
    {
      id,
      current: false,
      userAgent: 'first <b>',
      address: '192.0.2.1',
      createdAt: at(-1_000),
      lastUsedAt: at(-1_000),
      expireAt: at(month - 1_000),
    },
  ])
})

test('the last use is kept to the minute', async () => {
  const { session } = await newMember(server)
  const [{ createdAt } = { createdAt: '' }] = await list(session)
  server.clock.advance(59_999)
  await call(server, 'GET /me', { as: session })
  expect((await list(session))[0]?.lastUsedAt).toBe(createdAt)
  server.clock.advance(1)
  await call(server, 'GET /me', { as: session })
  expect((await list(session))[0]?.lastUsedAt).toBe(new Date(server.clock.now()).toISOString())
})

test('a user has at most a hundred sessions: a new one ends the oldest', async () => {
  const { id, login, session } = await newMember(server)
  const person = { login, password: userPassword }
  server.clock.advance(1_000)
  const second = await signIn(server, person)
  server.clock.advance(1_000)
  const addSessions = (count: number, prefix: string) =>
    write(
      server,
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
      insert into sessions (id, userId, userAgent, address, createdAt, usedAt, expireAt)
      select ? || n, ?, '', '', ?, 0, ? from numbers`,
      count,
      prefix,
      id,
      server.clock.now() - 500,
      server.clock.now() + 1_000_000,
    )
  await addSessions(97, 'some')
  const newest = await signIn(server, person)
  expect(await isSignedIn(session)).toBe(true)
  expect(await list(newest)).toHaveLength(100)
  await signIn(server, person)
  expect(await isSignedIn(session)).toBe(false)
  expect(await isSignedIn(second)).toBe(true)
  await addSessions(1_500, 'more')
  const last = await signIn(server, person)
  expect(await isSignedIn(last)).toBe(true)
  expect(lookUp(server, `select count(*) from sessions where userId = '${id}'`)).toEqual([100])
})

test('an own session can be ended from another one', async () => {
  const { login, session } = await newMember(server)
  const other = await signIn(server, { login, password: userPassword })
  const id = await idOf(other)
  const response = await call(server, `DELETE /me/sessions/${id}`, { as: session })
  expect([response.status, response.text, response.headers['set-cookie']]).toEqual([200, 'ok', undefined])
  expect(await isSignedIn(other)).toBe(false)
  expect(await isSignedIn(session)).toBe(true)
  const again = await call(server, `DELETE /me/sessions/${id}`, { as: session })
  expect(errorIn(again)).toEqual({ status: 404, code: 'session_not_found' })
})

test('the requesting session can be ended by its id, and its cookies are removed', async () => {
  const { session } = await newMember(server)
  const response = await call(server, `DELETE /me/sessions/${await idOf(session)}`, { as: session })
  expect(response.headers['set-cookie']).toHaveLength(2)
  expect(await isSignedIn(session)).toBe(false)
})

test('no one ends the session of another user: neither a user nor an admin, nor by a pattern', async () => {
  const [one, other] = [await newMember(server), await newMember(server)]
  const id = await idOf(one.session)
  for (const as of [other.session, server.admin]) {
    for (const target of [id, '%25', '_'.repeat(32), `${id}%00`, `${id}'--`]) {
      const response = await call(server, `DELETE /me/sessions/${target}`, { as })
      expect(errorIn(response)).toEqual({ status: 404, code: 'session_not_found' })
    }
  }
  expect(await isSignedIn(one.session)).toBe(true)
})

test('a session stays ended after a logout, also for a restarted server', async () => {
  const { session } = await newMember(server)
  expect(await isSignedIn(session)).toBe(true)
  await call(server, 'GET /auth/logout', { as: session })
  expect(await isSignedIn(session)).toBe(false)
  const { config, directory, clock } = server
  const { accounts } = config
  const features = { feature_authentication: 'enabled' } as const
  const anew = await startTestServer({ features, config: { accounts }, directory, clock })
  expect(await isSignedIn(session, anew)).toBe(false)
  await anew.close()
})

test('a session outlives the server, and its end on one server applies to all', async () => {
  const { session } = await newMember(server)
  const { config, directory, clock } = server
  const { accounts } = config
  const features = { feature_authentication: 'enabled' } as const
  const second = await startTestServer({ features, config: { accounts }, directory, clock })
  expect(await isSignedIn(session, second)).toBe(true)
  await call(second, 'GET /auth/logout', { as: session })
  expect(await isSignedIn(session)).toBe(false)
  await second.close()
})

test('a logout without a session, or twice, succeeds', async () => {
  const { session } = await newMember(server)
  await call(server, 'GET /auth/logout', { as: session })
  for (const as of [session, undefined]) {
    const response = await call(server, 'GET /auth/logout', as && { as })
    expect([response.status, response.text]).toEqual([200, 'ok'])
  }
})

test('the sessions of a deleted user end at once, and a new user with the same login does not inherit them', async () => {
  const { id, login, session } = await newMember(server)
  await call(server, `DELETE /user/${id}`, { as: server.admin })
  expect(await isSignedIn(session)).toBe(false)
  await createUser(server, server.admin, { login })
  expect(await isSignedIn(session)).toBe(false)
})

test('rights are current: the session of a former admin has no admin rights', async () => {
  const { id, session } = await newMember(server, { admin: true })
  expect((await call(server, 'GET /users', { as: session })).status).toBe(200)
  await call(server, `POST /user/${id}`, { as: server.admin, body: { admin: false } })
  expect(errorIn(await call(server, 'GET /users', { as: session })).code).toBe('not_allowed')
  await call(server, `POST /user/${id}`, { as: server.admin, body: { admin: true } })
  expect((await call(server, 'GET /users', { as: session })).status).toBe(200)
})

test('a session ends at its time, not a millisecond before', async () => {
  const short = await startServerWithAccounts({
    config: { accounts: { ...server.config.accounts, sessionTimeout: 90 } },
  })
  const session = await signIn(short, root)
  short.clock.advance(89_999)
  expect(await isSignedIn(session, short)).toBe(true)
  short.clock.advance(1)
  expect(await isSignedIn(session, short)).toBe(false)
  const fresh = await signIn(short, root)
  expect(jsonIn(await call(short, 'GET /me/sessions', { as: fresh }))).toMatchObject([{ current: true }])
  await short.clean()
  expect(lookUp(short, 'select count(*) from sessions')).toEqual([1])
  await short.close()
})

test('a session that begins within a second lasts exactly its time', async () => {
  const short = await startServerWithAccounts({
    config: { accounts: { ...server.config.accounts, sessionTimeout: 90 } },
  })
  short.clock.advance(501)
  const session = await signIn(short, root)
  short.clock.advance(89_999)
  expect(await isSignedIn(session, short)).toBe(true)
  short.clock.advance(1)
  expect(await isSignedIn(session, short)).toBe(false)
  await short.close()
})
