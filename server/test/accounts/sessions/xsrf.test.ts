import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { root, signIn, userPassword, type SignedIn } from '../../support/clients/accounts.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let member: Member
let other: SignedIn
beforeAll(async () => {
  server = await startServerWithAccounts()
  member = await newMember(server)
  other = await signIn(server, { login: member.login, password: userPassword })
})
afterAll(() => server.close())

const withValue = (xsrf: string | undefined) => ({
  cookie: member.session.cookie,
  ...(xsrf !== undefined && { 'x-xsrftoken': xsrf }),
})
const refused = { status: 403, code: 'invalid_xsrf' }

const changes = [
  'POST /upload',
  'POST /',
  'PUT /name.txt',
  'POST /auth/local/login',
  'POST /auth/cli/init',
  'POST /auth/cli/poll',
  'POST /auth/cli/approve',
  'PATCH /me',
  'DELETE /me',
  'POST /me/token',
  'DELETE /me/token/x',
  'DELETE /me/sessions/x',
  'DELETE /me/uploads',
  'POST /user',
  'POST /user/local:root',
  'DELETE /user/local:root',
] as const

const bodyOf = (line: string): object | undefined => {
  if (line.startsWith('DELETE') || line === 'POST /' || line.startsWith('PUT')) return undefined
  if (line === 'POST /auth/local/login') return root
  if (line === 'POST /user') return { provider: 'local', login: 'somebody', password: userPassword }
  if (line.startsWith('POST /auth/cli')) return { code: 'x', secret: 'x' }
  return {}
}

test.each(changes)('%s with a session is rejected without its XSRF value, and does nothing', async (line) => {
  const value = member.session.xsrf
  const wrong = [
    undefined,
    '',
    'x',
    value.slice(0, -1),
    `${value}x`,
    value.toLowerCase(),
    other.xsrf,
    server.admin.xsrf,
  ]
  for (const xsrf of wrong) {
    const response = await call(server, line, { headers: withValue(xsrf), body: bodyOf(line) })
    const code = line === 'POST /' || line.startsWith('PUT') ? undefined : refused.code
    expect([xsrf, errorIn(response)]).toEqual([xsrf, { status: 403, code }])
    expect(response.headers['set-cookie']).toBeUndefined()
  }
  expect((await call(server, 'GET /me', { as: member.session })).status).toBe(200)
})

test('any other value is rejected', async () => {
  const header = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 60,
  })
  await fc.assert(
    fc.asyncProperty(header, async (xsrf) => {
      expect(errorIn(await call(server, 'PATCH /me', { headers: withValue(xsrf), body: {} }))).toEqual(
        refused,
      )
    }),
    { numRuns: 100 },
  )
})

test('the repeated value is rejected', async () => {
  const { xsrf, cookie } = member.session
  const response = await sendRequest(server.url, '/me', {
    method: 'PATCH',
    headers: { cookie, 'content-type': 'application/json', 'x-xsrftoken': `${xsrf}, ${xsrf}` },
    body: '{}',
  })
  expect(errorIn(response)).toEqual(refused)
})

test('a cookie with another value does not make that value valid', async () => {
  const cookie = member.session.cookie.replace(/svc-xsrf=.*/, 'svc-xsrf=mine')
  const headers = { cookie, 'x-xsrftoken': 'mine' }
  expect(errorIn(await call(server, 'PATCH /me', { headers, body: {} }))).toEqual(refused)
})

test('the correct value is enough without the XSRF cookie', async () => {
  const headers = {
    cookie: member.session.cookie.replace(/; svc-xsrf=.*/, ''),
    'x-xsrftoken': member.session.xsrf,
  }
  expect((await call(server, 'PATCH /me', { headers, body: {} })).status).toBe(200)
})

test('reading needs no XSRF value', async () => {
  for (const line of [
    'GET /me',
    'GET /me/token',
    'GET /me/sessions',
    'GET /me/uploads',
    'GET /me/stats',
  ] as const) {
    expect((await call(server, line, { headers: withValue(undefined) })).status).toBe(200)
  }
})

test('a guest needs no XSRF value', async () => {
  expect((await call(server, 'POST /upload', { body: {} })).status).toBe(200)
  expect((await call(server, 'POST /auth/cli/init', { body: {} })).status).toBe(200)
  await signIn(server, root)
})

test('a user token needs no XSRF value, and acts for its owner with any cookie', async () => {
  const created = await call(server, 'POST /me/token', { as: member.session, body: {} })
  const { token } = jsonIn(created) as { token: string }
  const headers = { ...withValue(undefined), 'x-svctoken': token }
  const alone = jsonIn(await call(server, 'POST /upload', { headers, body: {} }))
  expect(alone).toMatchObject({ user: member.id })
  const withCookie = { cookie: server.admin.cookie, 'x-svctoken': token }
  expect(jsonIn(await call(server, 'POST /upload', { headers: withCookie, body: {} }))).toMatchObject({
    user: member.id,
  })
})

test('an invalid user token does not fall back to the session', async () => {
  const headers = { ...withValue(undefined), 'x-svctoken': 'x' }
  const response = await call(server, 'POST /upload', { headers, body: {} })
  expect(errorIn(response)).toEqual({ status: 403, code: 'invalid_token' })
})

test('the token of an upload needs no XSRF value', async () => {
  const { upload, uploadToken, path } = await storeUpload(server)
  const headers = { ...withValue(undefined), 'x-uploadtoken': uploadToken }
  const added = await sendRequest(server.url, `/file/${upload.id}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': formType },
    body: fileForm('more', 'more.txt'),
  })
  expect(added.status).toBe(200)
  expect((await call(server, `DELETE ${path}`, { headers })).text).toBe('ok')
  expect((await call(server, `DELETE /upload/${upload.id}`, { headers })).text).toBe('ok')
})
