import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { archivePath } from '@svc/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sendRequest, basic } from '../support/clients/send-request.ts'
import { fileForm, formType } from '../support/clients/forms.ts'
import { becomes, declareStream, openDownload, openSender, partStart, sendWhole } from '../stream/streams.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'

const canary = 'canaryQ7xZ'

let directory: string
let server: Svcd
beforeAll(async () => {
  directory = await emptyDirectory()
  server = await startSvcd(directory, { LOG_LEVEL: 'trace' })
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})

const lines = () => server.log().trimEnd().split('\n')
const logged = (route: string) =>
  until(`${route} is logged`, () => lines().find((line) => line.includes(`"route":"${route}"`)))

test('the log is lines of JSON, and none has a password, a token or a query', async () => {
  const options = { password: `${canary}-password`, login: `${canary}-login`, comments: `${canary}-comments` }
  const { upload, file, uploadToken, path } = await storeUpload(server, `${canary}-content`, options)
  const authorization = basic(options.login, options.password)
  const secrets = [canary, upload.id, file.id, uploadToken, authorization.slice('Basic '.length)]

  await sendRequest(server.url, `${path}?dl=1&secret=${canary}`, {
    headers: { authorization, cookie: `a=${canary}` },
  })
  await sendRequest(server.url, `${path}?again=${canary}`, {
    headers: { authorization: basic(canary, canary) },
  })
  await sendRequest(server.url, path, { headers: { 'x-uploadtoken': uploadToken, range: 'bytes=999-' } })
  await sendRequest(server.url, archivePath(upload.id, 'a.zip'), {
    headers: { 'x-uploadtoken': uploadToken },
  })
  await sendRequest(server.url, `/nowhere?password=${canary}`)
  await sendRequest(server.url, `/upload/%zz?password=${canary}`)
  const query = `?password=${canary}&login=${canary}&comments=${canary}&ttl=60`
  const form = { headers: { 'content-type': formType }, body: fileForm(canary) }
  const quick = await sendRequest(server.url, `/${query}`, { method: 'POST', ...form })
  secrets.push(String(quick.headers['x-uploadtoken']))
  await sendRequest(server.url, `/raw${query}`, { method: 'PUT', body: canary })
  await sendRequest(server.url, `/raw?ttl=${canary}`, { method: 'PUT', body: canary })
  const bad = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"password":"${canary}"`,
  }
  await sendRequest(server.url, '/upload', bad)
  await sendRequest(server.url, '/upload', { ...bad, body: `{"password":["${canary}"]}` })
  const broken = await rawConnection(server.url)
  await broken.send(
    requestHead('PUT', `/cut${query}`, { 'content-length': 1_000_000, 'x-uploadtoken': canary }),
  )
  await broken.send(canary)
  broken.cut()
  await until('the cut is logged', () => lines().find((line) => line.includes('"aborted":true')))
  await sendRequest(server.url, '/config')
  await logged('/config')

  expect(lines().length).toBeGreaterThan(10)
  for (const line of lines()) {
    expect(JSON.parse(line)).toMatchObject({
      level: expect.any(Number) as number,
      time: expect.any(Number) as number,
    })
    expect(secrets.filter((secret) => line.includes(secret))).toEqual([])
    expect(line).not.toContain('?')
  }
})

test('a request is one line with its method, route, status, duration and address', async () => {
  await sendRequest(server.url, '/version?x=y')
  const line = await logged('/version')
  expect(JSON.parse(line)).toMatchObject({
    method: 'GET',
    route: '/version',
    status: 200,
    ms: expect.any(Number) as number,
    address: '127.0.0.1',
    msg: 'request',
  })
})

test('an upload and a file are named by the beginnings of their ids', async () => {
  const { upload, file, path } = await storeUpload(server, 'content')
  await sendRequest(server.url, path)
  const shown = { upload: `${upload.id.slice(0, 4)}…`, file: `${file.id.slice(0, 4)}…` }
  const line = await until('it is logged', () => lines().find((each) => each.includes(shown.file)))
  expect(JSON.parse(line)).toMatchObject({ ...shown, route: '/file/{uploadID}/{fileID}/{filename}' })
  for (const hidden of [upload.id.slice(4), file.id.slice(4), 'file.txt']) expect(line).not.toContain(hidden)
})

test.each([
  '/me/token/SECRET',
  '/me/%74oken/SECRET',
  '/%6De/t%6Fken/SECRET',
  '/me//token/SECRET',
  '/ME/TOKEN/SECRET',
  '/./me/token/SECRET',
  '/me/token/SECRET/',
  '/upload/SECRET',
  '/file/SECRET/SECRET/SECRET',
  '/user/local:SECRET',
  '/SECRET',
  '/SECRET/%zz',
  'http://svc.test/me/token/SECRET',
])('no spelling of an address writes what stands in it into the log: %s', async (path) => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const before = lines().length
    await sendRequest(server.url, path.replaceAll('SECRET', canary), { method })
    expect(await until('it is logged', () => lines()[before])).not.toContain(canary)
  }
})

test.each([
  ['without a route', 'GET', '/wp-login.php', 'none', '', 404],
  ['with a method that its route does not have', 'PATCH', '/config', 'none', '', 405],
  ['with a body of another type', 'POST', '/upload', '/upload', 'text/plain', 415],
  ['with a body that is not JSON', 'POST', '/auth/cli/init', '/auth/cli/init', 'application/json', 400],
  ['with an address that cannot be decoded', 'GET', '/upload/%e4', 'none', '', 400],
])('a request %s is one line, too', async (_what, method, path, route, type, status) => {
  const before = lines().length
  const body = type === '' ? {} : { headers: { 'content-type': type }, body: '{' }
  await sendRequest(server.url, path, { method, ...body })
  const line = await until('it is logged', () => lines()[before])
  expect(JSON.parse(line)).toMatchObject({ method, route, status, address: '127.0.0.1', msg: 'request' })
})

test('a file whose bytes are gone has one warning, with shortened ids', async () => {
  const { upload, file, path } = await storeUpload(server, 'content that someone deletes in the store')
  await rm(join(directory, 'files', file.id.slice(0, 2), file.id))
  const warnings = () => lines().filter((line) => line.includes('does not have the bytes of a file'))
  for (let download = 0; download < 3; download += 1)
    expect((await sendRequest(server.url, path)).status).toBe(404)
  await sendRequest(server.url, archivePath(upload.id, 'a.zip'), {}).catch(() => undefined)
  await until('it is logged', () => warnings().length > 0)
  expect(warnings().map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      level: 40,
      upload: `${upload.id.slice(0, 4)}…`,
      file: `${file.id.slice(0, 4)}…`,
    }),
  ])
  expect(server.log()).not.toContain(file.id)
})

test('a file of the page is not a line', async () => {
  const other = await startSvcd(await emptyDirectory(), { LOG_LEVEL: 'trace' })
  onTestFinished(() => other.kill('SIGKILL'))
  const requests = () => other.log().match(/"msg":"request"/gu) ?? []

  expect((await sendRequest(other.url, '/settings.json')).status).toBe(200)
  await sendRequest(other.url, '/config')
  await until('the request after it is logged', () => requests().length > 0)
  expect(requests()).toHaveLength(1)
})

test('a name cannot forge a line of the log', async () => {
  const before = lines().length
  await sendRequest(server.url, '/upload/x%0A%7B%22level%22:60%7D%1b[2J')
  await until('it is logged', () => lines().length > before)
  expect(lines()).toHaveLength(before + 1)
})

test('checks by a load balancer are not lines', async () => {
  const before = lines().length
  for (const path of ['/health', '/ready']) expect((await sendRequest(server.url, path)).status).toBe(200)
  await sendRequest(server.url, '/config?after')
  await until('the request after them is logged', () => lines().length > before)
  expect(lines()).toHaveLength(before + 1)
})

test('the start warns of direct downloads that have no effect', async () => {
  const place = await emptyDirectory()
  const other = await startSvcd(place, { DIRECT_DOWNLOADS: 'true', LOG_LEVEL: 'warn' })
  // What is logged and the line with the address come by two pipes.
  await until('it warns', () =>
    other.log().includes('DirectDownloads has no effect: the file store cannot serve files itself'),
  )
  other.kill('SIGKILL')
  await other.ended
})

test('a failure names the route as the line of its request does', async () => {
  const { file, path } = await storeUpload(server, 'lost')
  await rm(join(directory, 'files'), { recursive: true })
  expect((await sendRequest(server.url, path)).status).toBe(503)
  const line = await until('it is logged', () => lines().find((each) => each.includes('request failed')))
  expect(JSON.parse(line)).toMatchObject({ route: '/file/{uploadID}/{fileID}/{filename}' })
  expect(line).not.toContain(file.id)
})

test('an abort by the other side of a stream, or the end of the server, is not logged as an error', async () => {
  const place = await emptyDirectory()
  const other = await startSvcd(place, { LOG_LEVEL: 'warn' })
  const broken = await declareStream(other)
  const sender = await openSender(other.url, broken, { size: 8_000_000 })
  await sender.send(partStart)
  await becomes(other, broken, 'uploading')
  const download = await openDownload(other.url, broken.path)
  await sender.send(Buffer.alloc(100_000))
  expect((await download.head()).status).toBe(200)
  download.cut()
  expect((await sender.response()).status).toBe(502)
  const waits = await declareStream(other)
  const sent = sendWhole(other.url, waits, 'content')
  await becomes(other, waits, 'uploading')
  other.kill('SIGTERM')
  expect((await sent).status).toBe(503)
  sender.cut()
  await other.ended
  expect(other.log()).toBe('')
})
