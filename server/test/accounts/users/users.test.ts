import type { User } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { createUser, signIn, userPassword } from '../../support/clients/accounts.ts'
import { lookUp, storedFiles } from '../../support/servers/server-data.ts'
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

const create = (body: object) => call(server, 'POST /user', { as: server.admin, body })
const update = (id: string, body: object) => call(server, `POST /user/${id}`, { as: server.admin, body })
const invalid = { status: 400, code: 'invalid_request' }

test('an admin creates a user with every field', async () => {
  const login = freshLogin()
  const fields = {
    provider: 'local',
    login,
    name: 'Zoë',
    email: 'zoe@example.test',
    theme: 'dark',
    language: 'de',
    admin: true,
    maxFileSize: 5,
    maxUserSize: -1,
    maxTTL: 60,
  }
  const response = await create({ ...fields, password: userPassword })
  const createdAt = new Date(server.clock.now()).toISOString()
  expect([response.status, jsonIn(response)]).toEqual([200, { id: `local:${login}`, ...fields, createdAt }])
  const session = await signIn(server, { login, password: userPassword })
  expect(jsonIn(await call(server, 'GET /me', { as: session }))).toEqual({
    id: `local:${login}`,
    ...fields,
    createdAt,
  })
})

test('a name that reverses the text after it is rejected', async () => {
  const login = freshLogin()
  const fields = { provider: 'local', login, password: userPassword }
  expect(errorIn(await create({ ...fields, name: '\u202Egro.live' }))).toEqual(invalid)
  expect((await create(fields)).status).toBe(200)
  expect(errorIn(await update(`local:${login}`, { name: 'a\u2066b' }))).toEqual(invalid)
})

test('absent fields are empty, or have the default of the server', async () => {
  const login = freshLogin()
  const expected = { name: '', email: '', theme: '', language: '', admin: false }
  const limits = { maxFileSize: 0, maxUserSize: 0, maxTTL: 0 }
  const response = jsonIn(await create({ provider: 'local', login, password: userPassword }))
  expect(response).toMatchObject({ ...expected, ...limits })
})

test.each(['idp1', 'idp2', 'idp3', 'oidc'])(
  'a user of %s is expected under its name there',
  async (provider) => {
    const login = freshLogin()
    expect(jsonIn(await create({ provider, login }))).toMatchObject({
      id: `${provider}:${login}`,
      provider,
      login,
    })
  },
)

test('the same login at another provider is another user; twice at one it is none', async () => {
  const login = freshLogin()
  expect((await create({ provider: 'local', login, password: userPassword })).status).toBe(200)
  expect((await create({ provider: 'oidc', login })).status).toBe(200)
  const twice = await create({ provider: 'local', login, password: 'somebody else', admin: true })
  expect(errorIn(twice)).toEqual({ status: 409, code: 'user_exists' })
  const session = await signIn(server, { login, password: userPassword })
  expect(jsonIn(await call(server, 'GET /me', { as: session }))).toMatchObject({ admin: false })
})

test('of many parallel creations one succeeds', async () => {
  const login = freshLogin()
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => create({ provider: 'local', login, password: userPassword })),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
})

const local = { provider: 'local', password: userPassword }
test.each([
  ['no login', local],
  ['a login that is too short', { ...local, login: 'ab' }],
  ['a login that is too long', { ...local, login: 'x'.repeat(129) }],
  ['a login with a line break', { ...local, login: 'abc\n' }],
  ['a login with a zero byte', { ...local, login: 'abc\0' }],
  ['a login that is half a character', { ...local, login: 'abc\ud800' }],
  ['no password', { provider: 'local', login: 'nobody' }],
  ['a password that is too short', { ...local, login: 'nobody', password: '1234567' }],
  ['a password that is too long', { ...local, login: 'nobody', password: 'x'.repeat(129) }],
  ['an unknown provider', { ...local, provider: 'idp4', login: 'nobody' }],
  ['no provider', { login: 'nobody', password: userPassword }],
  ['a name that is too long', { ...local, login: 'nobody', name: 'x'.repeat(257) }],
  ['a name with an escape', { ...local, login: 'nobody', name: '\u001b[31m' }],
  ['a limit below -1', { ...local, login: 'nobody', maxUserSize: -2 }],
  ['a limit that is not a whole number', { ...local, login: 'nobody', maxTTL: 1.5 }],
  ['a limit that is a text', { ...local, login: 'nobody', maxFileSize: '5' }],
  ['a limit that no number can say', { ...local, login: 'nobody', maxFileSize: 1e300 }],
  ['a limit beyond exact numbers', { ...local, login: 'nobody', maxUserSize: 2 ** 53 }],
  ['an admin flag that is a number', { ...local, login: 'nobody', admin: 1 }],
])('%s makes no user', async (_what, body) => {
  expect(errorIn(await create(body))).toEqual(invalid)
  expect(lookUp(server, "select id from users where id like '%nobody%' or id like '%abc%'")).toEqual([])
})

test('the length of texts is counted in code points', async () => {
  const login = '🗿'.repeat(128)
  const response = await create({ ...local, login, name: '🗿'.repeat(256) })
  expect([response.status, (jsonIn(response) as User).name]).toEqual([200, '🗿'.repeat(256)])
})

test('an update changes the given fields only', async () => {
  const { id } = await createUser(server, server.admin, { login: freshLogin(), name: 'A', maxTTL: 60 })
  const before = jsonIn(await call(server, `GET /user/${id}`, { as: server.admin })) as User
  for (const changes of [
    {},
    { name: 'B' },
    { email: '' },
    { maxTTL: 0, maxFileSize: -1 },
    { admin: true },
    { id },
  ]) {
    const response = await update(id, changes)
    expect([response.status, jsonIn(response)]).toEqual([200, { ...before, ...changes }])
    expect(jsonIn(await call(server, `GET /user/${id}`, { as: server.admin }))).toEqual({
      ...before,
      ...changes,
    })
    await update(id, { ...before })
  }
})

test('an id in the body must be that of the path', async () => {
  const { id } = await createUser(server, server.admin, { login: freshLogin() })
  for (const other of ['local:root', '', `${id} `]) {
    expect(errorIn(await update(id, { id: other, name: 'X' }))).toEqual(invalid)
  }
  expect(jsonIn(await call(server, `GET /user/${id}`, { as: server.admin }))).toMatchObject({ name: '' })
})

test('a number that the database cannot store exactly is rejected in an update, too', async () => {
  const { id } = await createUser(server, server.admin, { login: freshLogin() })
  for (const name of ['maxFileSize', 'maxUserSize', 'maxTTL']) {
    expect(errorIn(await update(id, { [name]: 2 ** 60 }))).toEqual(invalid)
    expect((await update(id, { [name]: Number.MAX_SAFE_INTEGER })).status).toBe(200)
  }
  expect((await call(server, 'GET /users', { as: server.admin })).status).toBe(200)
})

test('no number breaks the listings of others', async () => {
  const { session } = await newMember(server, { maxFileSize: -1 })
  for (const fileSize of [2 ** 53, 2 ** 60, 1e300]) {
    const body = { files: [{ fileName: 'a', fileSize }] }
    expect(errorIn(await call(server, 'POST /upload', { as: session, body }))).toEqual(invalid)
  }
  const body = { files: [{ fileName: 'a', fileSize: Number.MAX_SAFE_INTEGER }] }
  expect((await call(server, 'POST /upload', { as: session, body })).status).toBe(200)
  expect((await call(server, 'GET /uploads', { as: server.admin })).status).toBe(200)
})

test('an unknown user is neither shown nor changed nor deleted', async () => {
  for (const line of [
    'GET /user/local:nobody',
    'POST /user/local:nobody',
    'DELETE /user/local:nobody',
  ] as const) {
    const response = await call(server, line, {
      as: server.admin,
      ...(line.startsWith('POST') && { body: { name: 'X' } }),
    })
    expect(errorIn(response)).toEqual({ status: 404, code: 'user_not_found' })
  }
})

test('a user sees and changes only the own profile by id, whether others exist or not', async () => {
  const [one, other] = [await newMember(server), await newMember(server)]
  const { session } = one
  expect(jsonIn(await call(server, `GET /user/${one.id}`, { as: session }))).toMatchObject({ id: one.id })
  const renamed = await call(server, `POST /user/${one.id}`, {
    as: session,
    body: { name: 'Me', language: 'fr' },
  })
  expect(jsonIn(renamed)).toMatchObject({ name: 'Me', language: 'fr' })
  const responses: string[] = []
  for (const id of [other.id, 'local:root', 'local:nobody']) {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const response = await call(server, `${method} /user/${id}`, {
        as: session,
        ...(method === 'POST' && { body: {} }),
      })
      expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
      responses.push(`${method} ${response.text}`)
    }
  }
  expect(new Set(responses).size).toBe(3)
})

test.each([{ admin: true }, { admin: false }, { maxFileSize: -1 }, { maxUserSize: 0 }, { maxTTL: 60 }])(
  'no user sets %j for the own account, and other fields of the request are not changed either',
  async (limits) => {
    const { id, session } = await newMember(server)
    const response = await call(server, `POST /user/${id}`, { as: session, body: { name: 'New', ...limits } })
    expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
    const me = jsonIn(await call(server, 'GET /me', { as: session }))
    expect(me).toMatchObject({ name: '', admin: false, maxFileSize: 0, maxUserSize: 0, maxTTL: 0 })
  },
)

test('a deleted user leaves no uploads, bytes or tokens, and no one else loses anything', async () => {
  const [one, other] = [await newMember(server), await newMember(server)]
  const send = async (session: typeof one.session) => {
    const { status, headers } = await call(server, 'PUT /a.txt', { as: session, body: 'content' })
    expect(status).toBe(200)
    return String(headers['x-uploadid'])
  }
  const [mine, kept] = [await send(one.session), await send(other.session)]
  expect((await call(server, `DELETE /user/${one.id}`, { as: server.admin })).text).toBe('ok')
  expect((await call(server, `GET /upload/${mine}`)).status).toBe(404)
  expect((await call(server, `GET /upload/${kept}`)).status).toBe(200)
  await server.clean()
  expect(storedFiles(server)).toHaveLength(1)
  const left = `select count(*) from users where id = '${one.id}' union all
    select count(*) from sessions where userId = '${one.id}' union all
    select count(*) from uploads where userId = '${one.id}' and deletedAt is null`
  expect(lookUp(server, left)).toEqual([0, 0, 0])
})

test('a user deletes the own account: all its data and the cookies are removed', async () => {
  const { id, session } = await newMember(server)
  const { headers } = await call(server, 'PUT /a.txt', { as: session, body: 'content' })
  const response = await call(server, 'DELETE /me', { as: session })
  expect([response.text, response.headers['set-cookie']?.length]).toEqual(['ok', 2])
  expect((await call(server, 'GET /me', { as: session })).status).toBe(403)
  expect((await call(server, `GET /upload/${String(headers['x-uploadid'])}`)).status).toBe(404)
  expect(errorIn(await call(server, `GET /user/${id}`, { as: server.admin })).code).toBe('user_not_found')
})

test('where that is disabled, only an admin can delete an account', async () => {
  const { id, session } = await newMember(server)
  const features = { feature_authentication: 'enabled', feature_delete_account: 'disabled' } as const
  const { config, directory, clock } = server
  const closed = await startTestServer({ features, config: { accounts: config.accounts }, directory, clock })
  const response = await call(closed, 'DELETE /me', { as: session })
  expect(errorIn(response)).toEqual({ status: 403, code: 'feature_disabled' })
  expect((await call(closed, 'GET /me', { as: session })).status).toBe(200)
  expect((await call(closed, `DELETE /user/${id}`, { as: server.admin })).text).toBe('ok')
  await closed.close()
})

test.each([
  'twin ',
  '  twin',
  '\u00a0twin',
  'tw\u200bin',
  'tw\u00adin',
  'twin\ufe0f',
  'tw\u3164in',
  'ｔｗｉｎ',
  'twi\u0306n',
  'ﬁne',
])('a new local login that looks like another one is rejected: %j', async (login) => {
  expect(errorIn(await create({ provider: 'local', login, password: 'long enough' }))).toEqual(invalid)
})

test.each(['José Ñ', '山田 太郎', 'o’neil-ß', 'a.b+c@example.org'])(
  'a login may have the letters of any script: %s',
  async (login) => {
    expect((await create({ provider: 'local', login, password: 'long enough' })).status).toBe(200)
  },
)
