import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jsonIn, errorIn, type TestResponse } from '../../support/clients/send-request.ts'
import type { SignedIn } from '../../support/clients/accounts.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { storeUpload, type StoredUpload } from '../../support/clients/stored-upload.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let ended: SignedIn
let stored: StoredUpload
beforeAll(async () => {
  server = await startServerWithAccounts()
  ended = (await newMember(server)).session
  await call(server, 'GET /auth/logout', { as: ended })
})
beforeEach(async () => {
  stored = await storeUpload(server, 'content', { removable: true })
})
afterAll(() => server.close())

const cleared = ({ headers }: TestResponse) =>
  (headers['set-cookie'] ?? []).map((set) => set.split(';', 2).join())
const both = ['svc-session=, Max-Age=0', 'svc-xsrf=, Max-Age=0']

test('uploads, files and archives are visible as to a guest, and the cookies are removed', async () => {
  const { upload, path } = stored
  for (const line of [
    `GET /upload/${upload.id}`,
    `GET ${path}`,
    `HEAD ${path}`,
    `GET /archive/${upload.id}/all.zip`,
    `HEAD /archive/${upload.id}/all.zip`,
  ] as const) {
    const response = await call(server, line, { as: ended })
    expect([line, response.status, cleared(response)]).toEqual([line, 200, both])
  }
})

test('a protected upload needs its password, as for a guest', async () => {
  const { upload, path } = await storeUpload(server, 'content', { password: 'password' })
  for (const line of [`GET /upload/${upload.id}`, `GET ${path}`] as const) {
    const response = await call(server, line, { as: ended })
    expect(errorIn(response)).toEqual({ status: 401, code: 'wrong_credentials' })
    expect(cleared(response)).toEqual(both)
  }
})

test('everything else is rejected, so that no action of a user happens as a guest', async () => {
  const { upload, path } = stored
  const lines = [
    ['POST /upload', {}],
    [`DELETE ${path}`, undefined],
    [`DELETE /upload/${upload.id}`, undefined],
    ['GET /me', undefined],
    ['PATCH /me', {}],
    ['DELETE /me', undefined],
    ['GET /me/token', undefined],
    ['GET /me/uploads', undefined],
    ['GET /users', undefined],
    ['GET /uploads', undefined],
    ['GET /stats', undefined],
    ['POST /auth/cli/approve', { code: 'XXXX-XXXX' }],
  ] as const
  for (const [line, body] of lines) {
    const response = await call(server, line, { as: ended, body })
    expect([line, errorIn(response), cleared(response)]).toEqual([
      line,
      { status: 403, code: 'invalid_session' },
      both,
    ])
  }
  expect((await call(server, `GET ${path}`)).text).toBe('content')
})

test.each([
  ['POST', () => `/file/${stored.upload.id}`, formType],
  ['POST', () => '/', formType],
  ['PUT', () => '/name.txt', 'application/octet-stream'],
])(
  '%s of a file is rejected before its bytes arrive, and the cookies are removed',
  async (method, path, type) => {
    const connection = await rawConnection(server.url)
    const body = fileForm('content')
    await connection.send(
      requestHead(method, path(), {
        cookie: ended.cookie,
        'content-type': type,
        'content-length': body.length + 1_000_000,
      }),
    )
    await connection.send(body)
    const { status, headers } = await connection.head()
    connection.cut()
    expect(status).toBe(403)
    expect(headers['set-cookie']).toContain('Max-Age=0')
  },
)

test('a user token or an upload token takes precedence over an ended session', async () => {
  const { session } = await newMember(server)
  const { token } = jsonIn(await call(server, 'POST /me/token', { as: session, body: {} })) as {
    token: string
  }
  const headers = { cookie: ended.cookie, 'x-svctoken': token }
  const response = await call(server, 'POST /upload', { headers, body: {} })
  expect([response.status, cleared(response)]).toEqual([200, []])

  const { upload, uploadToken } = stored
  const held = { cookie: ended.cookie, 'x-uploadtoken': uploadToken }
  const removal = await call(server, `DELETE /upload/${upload.id}`, { headers: held })
  expect([removal.status, cleared(removal)]).toEqual([200, both])
})

test('the version is shown as to a guest', async () => {
  const response = await call(server, 'GET /version', { as: ended })
  expect([response.status, cleared(response)]).toEqual([200, both])
  expect(Object.keys(jsonIn(response) as object).sort()).toEqual(['clients', 'releases', 'version'])
})

test('public routes ignore the session', async () => {
  for (const line of ['GET /config', 'GET /health', 'GET /qrcode?url=x'] as const) {
    const response = await call(server, line, { as: ended })
    expect([line, response.status, cleared(response)]).toEqual([line, 200, []])
  }
})
