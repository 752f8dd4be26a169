import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest, basic, errorIn } from '../support/clients/send-request.ts'
import { storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

const login = 'login'
const password = 'password'

let server: TestServer
let guarded: StoredUpload
beforeAll(async () => {
  server = await startTestServer()
  guarded = await storeUpload(server, 'content', { login, password })
})
afterAll(() => server.close())

const open = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  sendRequest(server.url, path, { headers })

test('a browser gets a prompt for the password of an upload', async () => {
  for (const path of [
    guarded.path,
    `/upload/${guarded.upload.id}`,
    `/archive/${guarded.upload.id}/all.zip`,
  ]) {
    const response = await open(path)
    expect([path, errorIn(response)]).toEqual([path, { status: 401, code: 'wrong_credentials' }])
    expect(response.headers['www-authenticate']).toBe('Basic realm="svc", charset="UTF-8"')
  }
})

test('neither the credentials nor the token of one upload open another', async () => {
  const other = await storeUpload(server, 'other', { password: 'another' })
  expect((await open(other.path, { authorization: basic('svc', 'another') })).status).toBe(200)
  expect((await open(other.path, { authorization: basic(login, password) })).status).toBe(401)
  expect((await open(other.path, { 'x-uploadtoken': guarded.uploadToken })).status).toBe(401)
})

test('a file is not found under another upload, by any actor', async () => {
  const other = await storeUpload(server, 'other')
  const crossed = `/file/${other.upload.id}/${guarded.file.id}/file.txt`
  for (const method of ['GET', 'HEAD', 'DELETE']) {
    const headers = { 'x-uploadtoken': other.uploadToken }
    expect([method, (await sendRequest(server.url, crossed, { method, headers })).status]).toEqual([
      method,
      404,
    ])
  }
  expect((await open(guarded.path, { authorization: basic(login, password) })).text).toBe('content')
})

test.each([
  '',
  'Basic',
  'Basic !!!',
  'Basic Og==',
  `Basic ${Buffer.from('no-colon').toString('base64')}`,
  'Bearer x',
  `basic  ${Buffer.from(`${login}:`).toString('base64')}`,
  `Basic ${Buffer.from(`:${password}`).toString('base64')}`,
])('invalid credentials (%j) open nothing', async (authorization) => {
  // A separate upload, because wrong passwords are counted for each upload.
  const { path } = await storeUpload(server, 'content', { login, password })
  expect((await open(path, { authorization })).status).toBe(401)
})

test.each(['', ' ', 'x', 'x'.repeat(32), 'x'.repeat(10_000), '%00', 'null', 'undefined'])(
  'an invalid upload token (%#) opens nothing',
  async (token) => {
    const { path, upload } = await storeUpload(server, 'content', { login, password })
    const headers = { 'x-uploadtoken': token }
    expect((await open(path, headers)).status).toBe(401)
    expect(
      (await sendRequest(server.url, `/upload/${upload.id}`, { method: 'DELETE', headers })).status,
    ).toBe(403)
  },
)
