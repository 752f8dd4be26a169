import type { CliLoginStart } from '@svc/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { createUser, createUserToken, userPassword } from '../../support/clients/accounts.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import {
  call,
  freshLogin,
  newMember,
  startServerWithAccounts,
  type CallOptions,
  type Member,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let target: Member
beforeAll(async () => {
  server = await startServerWithAccounts()
})
beforeEach(async () => {
  target = await newMember(server)
})
afterAll(() => server.close())

const as = (id: string): CallOptions => ({ as: server.admin, headers: { 'x-svc-impersonate': id } })
const row = (id: string) =>
  lookUp(server, `select json_array(admin, maxUserSize, maxFileSize, maxTTL) from users where id = '${id}'`)

test('an impersonating admin acts as the user: on its account, and with its uploads', async () => {
  expect(jsonIn(await call(server, 'GET /me', as(target.id)))).toMatchObject({ id: target.id, admin: false })
  const created = await call(server, 'POST /upload', { ...as(target.id), body: {} })
  expect(jsonIn(created)).toMatchObject({ user: target.id })
  const { id } = jsonIn(created) as { id: string }
  const listed = jsonIn(await call(server, 'GET /me/uploads', { as: target.session }))
  expect(listed).toMatchObject({ total: 1, results: [{ id }] })
  expect((await call(server, `DELETE /upload/${id}`, as(target.id))).text).toBe('ok')
})

test('impersonation drops the rights of an admin', async () => {
  const other = await newMember(server)
  const { id } = jsonIn(await call(server, 'POST /upload', { as: other.session, body: {} })) as { id: string }
  for (const line of [`DELETE /upload/${id}`, `GET /user/${other.id}`, `DELETE /user/${other.id}`] as const) {
    expect(errorIn(await call(server, line, as(target.id)))).toEqual({ status: 403, code: 'not_allowed' })
  }
  const { path } = await storeUpload(server, 'content', { password: 'password' })
  expect((await call(server, `GET ${path}`, { as: server.admin })).status).toBe(200)
  expect((await call(server, `GET ${path}`, as(target.id))).status).toBe(401)
})

test('impersonation neither adds rights to the target nor takes any from the admin', async () => {
  const before = [row(target.id), row('local:root')]
  const more = { admin: true, maxUserSize: -1, maxFileSize: -1, maxTTL: -1 }
  for (const body of [
    { admin: true },
    { maxUserSize: -1 },
    { maxFileSize: 1 },
    { maxTTL: 1 },
    { password: 'password' },
  ]) {
    const response = await call(server, `POST /user/${target.id}`, { ...as(target.id), body })
    expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
    const self = await call(server, 'POST /user/local:root', { ...as(target.id), body })
    expect(errorIn(self)).toEqual({ status: 403, code: 'not_allowed' })
  }
  expect(
    (await call(server, 'PATCH /me', { ...as(target.id), body: { ...more, name: 'Renamed' } })).status,
  ).toBe(200)
  expect([row(target.id), row('local:root')]).toEqual(before)
})

test('an admin who impersonates another admin has no admin rights', async () => {
  const boss = await newMember(server, { admin: true })
  const response = await call(server, `GET /user/${target.id}`, as(boss.id))
  expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
  const demotion = await call(server, `POST /user/${boss.id}`, { ...as(boss.id), body: { admin: false } })
  expect(errorIn(demotion)).toEqual({ status: 403, code: 'not_allowed' })
})

test('routes for admins ignore impersonation', async () => {
  for (const line of ['GET /users', 'GET /uploads', 'GET /stats', 'GET /users/search?q=root'] as const) {
    const plain = await call(server, line, { as: server.admin })
    const acting = await call(server, line, as(target.id))
    expect([acting.status, acting.text]).toEqual([200, plain.text])
  }
  expect((await call(server, 'GET /users', as('local:nobody'))).status).toBe(200)
})

test.each(['local:nobody', 'nobody', '', ':', 'local:', 'local:%00', '%', '%zz', 'local:root%20'])(
  'the target %j is unknown',
  async (id) => {
    for (const line of ['GET /me', 'POST /upload'] as const) {
      const response = await call(server, line, { ...as(id), ...(line === 'POST /upload' && { body: {} }) })
      expect(errorIn(response)).toEqual({ status: 404, code: 'user_not_found' })
    }
  },
)

test('only a signed-in admin may impersonate', async () => {
  const options = { headers: { 'x-svc-impersonate': target.id } }
  const other = await newMember(server)
  for (const id of [target.id, 'local:root', 'local:nobody', other.id]) {
    const response = await call(server, 'GET /me', {
      as: other.session,
      headers: { 'x-svc-impersonate': id },
    })
    expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
  }
  expect(errorIn(await call(server, 'GET /me', options))).toEqual({ status: 401, code: 'login_required' })
  const upload = await call(server, 'POST /upload', { ...options, body: {} })
  expect(errorIn(upload)).toEqual({ status: 401, code: 'login_required' })
})

test('a former admin cannot impersonate', async () => {
  const boss = await newMember(server, { admin: true })
  const acting = { as: boss.session, headers: { 'x-svc-impersonate': target.id } }
  expect((await call(server, 'GET /me', acting)).status).toBe(200)
  await call(server, `POST /user/${boss.id}`, { as: server.admin, body: { admin: false } })
  expect(errorIn(await call(server, 'GET /me', acting))).toEqual({ status: 403, code: 'not_allowed' })
})

test.each([
  'a/b',
  'a:b',
  'Zoë 🗿',
  'per%cent',
  'a%2Fb',
  'plus+sign',
  'q?x=1&y',
  '#hash',
  'semi;colon',
  '.. /..',
  "o'neill",
])('the login %j is written percent-encoded in the header and in paths', async (name) => {
  const login = `${name} ${freshLogin()}`
  const { id } = await createUser(server, server.admin, { login })
  expect(id).toBe(`local:${login}`)
  const encoded = encodeURIComponent(id)
  expect(jsonIn(await call(server, 'GET /me', as(encoded)))).toMatchObject({ id, login })
  expect(jsonIn(await call(server, `GET /user/${encoded}`, { as: server.admin }))).toMatchObject({
    id,
    login,
  })
  const renamed = await call(server, `POST /user/${encoded}`, { as: server.admin, body: { id, name: 'N' } })
  expect(jsonIn(renamed)).toMatchObject({ id, name: 'N' })
  expect((await call(server, `DELETE /user/${encoded}`, { as: server.admin })).text).toBe('ok')
  expect(errorIn(await call(server, 'GET /me', as(encoded))).code).toBe('user_not_found')
})

test('an id of plain characters needs no escapes', async () => {
  expect(jsonIn(await call(server, 'GET /me', as(target.id)))).toMatchObject({ id: target.id })
  expect(jsonIn(await call(server, `GET /user/${target.id}`, { as: server.admin }))).toMatchObject({
    id: target.id,
  })
})

test('sessions and tokens of the target are neither shown nor changed, and no command-line login is approved', async () => {
  const token = await createUserToken(server, target.session)
  const sessions = jsonIn(await call(server, 'GET /me/sessions', { as: target.session })) as [{ id: string }]
  const init = await call(server, 'POST /auth/cli/init', { body: {} })
  const { code, secret } = jsonIn(init) as CliLoginStart
  for (const [line, body] of [
    ['GET /me/sessions'],
    [`DELETE /me/sessions/${sessions[0].id}`],
    ['GET /me/token'],
    ['POST /me/token', {}],
    [`DELETE /me/token/${token}`],
    ['POST /auth/cli/describe', { code }],
    ['POST /auth/cli/approve', { code }],
  ] as const) {
    const response = await call(server, line, { ...as(target.id), ...(body && { body }) })
    expect([line, errorIn(response)]).toEqual([line, { status: 403, code: 'not_allowed' }])
  }
  expect(jsonIn(await call(server, 'POST /auth/cli/poll', { body: { code, secret } }))).toEqual({
    status: 'pending',
  })
  expect(lookUp(server, `select count(*) from tokens where userId = '${target.id}'`)).toEqual([1])
  expect(lookUp(server, `select count(*) from sessions where userId = '${target.id}'`)).toEqual([1])
})

test('a logout of the target leaves the session of the admin', async () => {
  const logout = await call(server, 'GET /auth/logout', { as: target.session, headers: {} })
  expect(logout.status).toBe(200)
  expect((await call(server, 'GET /me', { as: server.admin })).status).toBe(200)
})

test('the deletion of the account deletes that of the target; the admin stays signed in', async () => {
  const response = await call(server, 'DELETE /me', as(target.id))
  expect([response.text, response.headers['set-cookie']]).toEqual(['ok', undefined])
  expect(errorIn(await call(server, 'GET /me', as(target.id))).code).toBe('user_not_found')
  expect(jsonIn(await call(server, 'GET /me', { as: server.admin }))).toMatchObject({ id: 'local:root' })
})

test('changes need the XSRF value of the admin', async () => {
  const headers = { cookie: server.admin.cookie, 'x-svc-impersonate': target.id }
  for (const xsrf of [{}, { 'x-xsrftoken': target.session.xsrf }]) {
    const response = await call(server, 'PATCH /me', { headers: { ...headers, ...xsrf }, body: {} })
    expect(errorIn(response)).toEqual({ status: 403, code: 'invalid_xsrf' })
  }
})

test('a login with the header opens a session of the user whose password was sent', async () => {
  const body = { login: target.login, password: userPassword }
  const headers = { ...server.admin.headers, 'x-svc-impersonate': target.id }
  const other = await newMember(server, { admin: true })
  const response = await call(server, 'POST /auth/local/login', {
    body,
    headers: { ...headers, ...other.session.headers },
  })
  expect(response.status).toBe(200)
  const cookie = (response.headers['set-cookie'] ?? []).map((set) => set.split(';', 1)[0]).join('; ')
  expect(jsonIn(await call(server, 'GET /me', { headers: { cookie } }))).toMatchObject({ id: target.id })
})
