import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../support/clients/accounts.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../support/servers/svcd.ts'
import { until } from '../../support/until.ts'
import { svcd } from '../../commands/command-line.ts'
import { fillPlik, uploadPassword, userPassword, userToken } from './filled.ts'
import { newPlik, uploadToken } from './installation.ts'

let server: Svcd
beforeAll(async () => {
  const directory = await emptyDirectory()
  const plik = await newPlik()
  await fillPlik(plik)
  await plik.close()
  const { status, stderr } = await svcd(directory, ['import', '--from', 'plik', plik.configuration])
  if (status !== 0) throw new Error(stderr)
  server = await startSvcd(directory, { FEATURE_AUTHENTICATION: 'enabled' })
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
})

const request = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(`${server.url}${path}`, { method, headers })
const basic = (login: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
})

test.each([
  ['/file/plain00000000001/plain00000000000/hello.txt', 'hello\n'],
  [`/file/several000000001/several000000001/${encodeURIComponent('ünïcode – 文件.txt')}`, 'two'],
  ['/file/forever000000001/forever000000000/f.txt', 'forever'],
  ['/file/sealed0000000001/sealed0000000000/sealed.age', 'age-encryption.org/v1'],
])('the old link %s works', async (path, content) => {
  const response = await request(path)
  expect(response.status).toBe(200)
  expect(await response.text()).toBe(content)
})

test.each([
  ['of Plik 1.4', '/file/protected0000001/protected0000000/ann.txt', 'ann'],
  ['of Plik 1.3', '/file/protectedearlier/protectedearli00/old.txt', 'plik'],
])('a protected upload %s opens with its login and password', async (_of, path, login) => {
  expect((await request(path)).status).toBe(401)
  expect((await request(path, basic(login, 'wrong'))).status).toBe(401)
  expect((await request(path, basic(login, uploadPassword))).status).toBe(200)
})

test('a one-shot file is downloaded once', async () => {
  const path = '/file/once000000000001/once000000000000/once.txt'
  const first = await request(path)
  expect(await first.text()).toBe('only once')
  // The server counts the download after its last byte. Until then, it responds with 409.
  await until('the download is counted', async () => (await request(path)).status === 404)
})

test.each(['removed000000001', 'expired000000001', 'stream0000000001'])('%s has ended', async (id) => {
  expect((await request(`/upload/${id}`)).status).toBe(404)
})

test('a user signs in with the password of Plik, and owns the uploads', async () => {
  const session = await signIn(server, { login: 'alice', password: userPassword })
  const response = await request('/me/uploads', session.headers)
  expect(await response.json()).toMatchObject({ results: [{ id: 'ofalice000000001', extend_ttl: true }] })
})

test('a token of a user creates uploads', async () => {
  const response = await request(
    '/upload',
    { 'x-svctoken': userToken, 'content-type': 'application/json' },
    'POST',
  )
  expect(response.status).toBe(200)
})

test('the upload token shows that an upload is one’s own, and removes it', async () => {
  const path = '/upload/several000000001'
  const headers = { 'x-uploadtoken': uploadToken('several000000001') }
  expect(await (await request(path, headers)).json()).toMatchObject({
    admin: true,
    comments: '**Photos** of Rome',
  })
  expect((await request(path, { 'x-uploadtoken': 'another' }, 'DELETE')).status).toBe(403)
  expect((await request(path, headers, 'DELETE')).status).toBe(200)
  expect((await request(path)).status).toBe(404)
})
