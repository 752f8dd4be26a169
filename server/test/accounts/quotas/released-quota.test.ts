import { filePath, manifestName, type File, type Upload } from '@svc/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryBackend } from '../../../src/data/memory/memory.ts'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { formType, partHead } from '../../support/clients/forms.ts'
import { ageFile, storeManifested } from '../../support/clients/manifested-upload.ts'
import { fragileBackend, type FragileBackend } from '../../support/stores/fragile-backend.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { rawConnection, requestHead, type RawConnection } from '../../support/clients/raw-connection.ts'
import { fileStatuses, lookUp } from '../../support/servers/server-data.ts'
import { startTestServer } from '../../support/servers/test-server.ts'
import { until } from '../../support/until.ts'
import { write } from '../../support/databases/sqlite-writes.ts'
import { uploadMethodNames, uploadMethods, form, usedSize, wrongCounters } from './upload-methods.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

const quota = 1_000

let server: ServerWithAccounts
let member: Member
let data: FragileBackend
beforeEach(async () => {
  data = fragileBackend(memoryBackend())
  server = await startServerWithAccounts({ data, config: { maxUserSize: quota, maxFileSize: 2_000 } })
  member = await newMember(server)
})
afterEach(async () => {
  expect(wrongCounters(server)).toEqual([])
  await server.close()
})

const used = () => usedSize(server, member.id)
const reserved = () => Number(lookUp(server, 'select coalesce(sum(reserved), 0) from files')[0])
const headers = () => member.session.headers

/** An upload with one file of this many bytes. */
async function store(size: number, options: object = {}) {
  const created = await call(server, 'POST /upload', { as: member.session, body: options })
  const upload = jsonIn(created) as Upload
  const response = await form(server, `/file/${upload.id}`, headers(), 'x'.repeat(size))
  expect(response.status).toBe(200)
  const file = jsonIn(response) as File
  return { upload, file, path: filePath(upload.id, file.id, file.fileName) }
}

/** Begins a raw upload of an announced length and sends a part of it. */
async function begin(length: number | null, part: string): Promise<RawConnection> {
  const connection = await rawConnection(server.url)
  const sent = {
    ...headers(),
    ...(length === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
  }
  await connection.send(requestHead('PUT', '/name.txt', sent))
  await connection.send(length === null ? `${part.length.toString(16)}\r\n${part}\r\n` : part)
  await until('the file is arriving', () => fileStatuses(server).includes('uploading'))
  return connection
}

const gone = () => until('the file is gone', () => !fileStatuses(server).includes('uploading'))

test('a file of known length reserves its bytes while it arrives, and releases them when it is interrupted', async () => {
  const connection = await begin(900, 'x'.repeat(10))
  await until('the bytes are kept free', () => reserved() === 900)
  expect(used()).toBe(900)
  expect((await uploadMethods['raw body'](server, headers(), 'x'.repeat(101))).status).toBe(413)
  expect((await uploadMethods['raw body'](server, headers(), 'x'.repeat(100))).status).toBe(200)
  connection.cut()
  await gone()
  expect([used(), reserved()]).toEqual([100, 0])
})

test('a file of unknown length reserves and releases its bytes', async () => {
  const connection = await begin(null, 'x'.repeat(600))
  connection.cut()
  await gone()
  expect([used(), reserved()]).toEqual([0, 0])
  expect((await uploadMethods['raw body'](server, headers(), 'x'.repeat(quota))).status).toBe(200)
})

test('a broken form that ends before its announced length releases its bytes', async () => {
  const { upload } = await store(100)
  const connection = await rawConnection(server.url)
  const body = partHead({ fileName: 'a.txt', content: '' }) + 'x'.repeat(500)
  const sent = { ...headers(), 'content-type': formType, 'content-length': body.length }
  await connection.send(requestHead('POST', `/file/${upload.id}`, sent))
  await connection.send(body)
  expect((await connection.response()).status).toBe(400)
  expect([used(), reserved()]).toEqual([100, 0])
})

test.each(uploadMethodNames)('a file that is too large by %s releases its bytes', async (method) => {
  await call(server, `POST /user/${member.id}`, { as: server.admin, body: { maxFileSize: 300 } })
  const response = await uploadMethods[method](server, headers(), 'x'.repeat(301))
  expect(response.status).toBe(413)
  expect(response.text).toContain('file too big')
  expect([used(), reserved()]).toEqual([0, 0])
  expect((await uploadMethods[method](server, headers(), 'x'.repeat(300))).status).toBe(200)
  expect(used()).toBe(300)
})

test.each(uploadMethodNames)('a file by %s that the disk rejects releases its bytes', async (method) => {
  for (const [why, status] of [
    ['broken', 500],
    ['full', 507],
  ] as const) {
    data.breakAt(1, why)
    expect((await uploadMethods[method](server, headers(), 'x'.repeat(300))).status).toBe(status)
    expect([used(), reserved()]).toEqual([0, 0])
  }
  data.breakAt(undefined)
})

test('a file that is not encrypted as declared releases its bytes', async () => {
  const { id } = jsonIn(
    await call(server, 'POST /upload', { as: member.session, body: { e2ee: 'age' } }),
  ) as Upload
  expect(errorIn(await form(server, `/file/${id}`, headers(), 'x'.repeat(300))).code).toBe('not_encrypted')
  expect([used(), reserved()]).toEqual([0, 0])
})

test('a removed file releases its bytes at once, once', async () => {
  const { path } = await store(600)
  await store(300)
  const removals = await Promise.all(
    Array.from({ length: 5 }, () => call(server, `DELETE ${path}`, { as: member.session })),
  )
  expect(removals.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
  expect(used()).toBe(300)
  await server.clean()
  expect(used()).toBe(300)
})

test('a removed upload releases the bytes of all its files', async () => {
  const { upload, path } = await store(300)
  await form(server, `/file/${upload.id}`, headers(), 'x'.repeat(400))
  await store(50)
  await call(server, `DELETE ${path}`, { as: member.session })
  const removals = await Promise.all(
    Array.from({ length: 3 }, () => call(server, `DELETE /upload/${upload.id}`, { as: member.session })),
  )
  expect(removals.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(used()).toBe(50)
})

test('a removal of all own uploads releases their bytes', async () => {
  for (let count = 0; count < 3; count++) await store(200)
  const other = await newMember(server)
  await uploadMethods['raw body'](server, other.session.headers, 'x'.repeat(70))
  expect((await call(server, 'DELETE /me/uploads', { as: member.session })).text).toBe('ok')
  expect([used(), usedSize(server, other.id)]).toEqual([0, 70])
  expect((await call(server, 'DELETE /me/uploads', { as: member.session })).text).toBe('ok')
  expect(used()).toBe(0)
})

test('an expired upload releases its bytes in the next cleanup', async () => {
  await store(600, { ttl: 60 })
  await store(100)
  server.clock.advance(60_000)
  await server.clean()
  expect(used()).toBe(100)
  await server.clean()
  expect(used()).toBe(100)
})

test('a downloaded one-shot file releases its bytes', async () => {
  const { path } = await store(600, { oneShot: true })
  expect(used()).toBe(600)
  expect((await call(server, `GET ${path}`)).body).toHaveLength(600)
  await until('the bytes are given back', () => used() === 0)
  expect((await call(server, `GET ${path}`)).status).toBe(404)
})

test('an archive of one-shot files releases the bytes of all', async () => {
  const { upload } = await store(300, { oneShot: true })
  await form(server, `/file/${upload.id}`, headers(), 'x'.repeat(400))
  expect((await call(server, `GET /archive/${upload.id}/all.zip`)).status).toBe(200)
  await until('the bytes are given back', () => used() === 0)
})

test.each(['one-shot', 'limited', 'deleted'])(
  'the manifest that ends with the last file of an encrypted upload releases its bytes (%s)',
  async (end) => {
    const createUpload = async (body?: object) =>
      jsonIn(await call(server, 'POST /upload', { as: member.session, body })) as Upload
    const client = { ...server.client, createUpload }
    const stored = await storeManifested({ client }, ['a', 'b'], { maxDownloads: end === 'limited' ? 2 : 1 })
    const { id } = stored.upload
    const { uploadToken } = stored
    expect(used()).toBe(3 * ageFile().size + 2 + manifestName.length)
    for (const { file, path } of stored.files)
      if (end === 'deleted') await server.client.removeFile(id, file, { uploadToken })
      else for (let round = 0; round < 2; round++) await call(server, `GET ${path}`)
    await until('the bytes are given back', () => used() === 0)
    expect(fileStatuses(server)).toEqual(['removed', 'removed', 'removed'])
  },
)

test('a consumed file allows another one', async () => {
  const full = await startServerWithAccounts({ config: { maxFilePerUpload: 1 } })
  const { id } = jsonIn(
    await call(full, 'POST /upload', { as: full.admin, body: { oneShot: true } }),
  ) as Upload
  const { id: file } = jsonIn(await form(full, `/file/${id}`, full.admin.headers, 'x')) as File
  expect((await form(full, `/file/${id}`, full.admin.headers, 'y')).status).toBe(400)
  await call(full, `GET /file/${id}/${file}/file.txt`)
  await until('the file is used up', () => fileStatuses(full).includes('removed'))
  expect((await form(full, `/file/${id}`, full.admin.headers, 'y')).status).toBe(200)
  expect(wrongCounters(full)).toEqual([])
  await full.close()
})

test.each(['DELETE /upload', 'DELETE /me/uploads', 'DELETE /user', 'expiry'] as const)(
  'a file that arrives while its upload ends by %s gets an error, and releases its bytes',
  async (how) => {
    const created = await call(server, 'POST /upload', { as: member.session, body: { ttl: 60 } })
    const { id } = jsonIn(created) as Upload
    await call(server, `POST /user/${member.id}`, {
      as: server.admin,
      body: { maxUserSize: 5_000_000, maxFileSize: -1 },
    })
    const connection = await rawConnection(server.url)
    const sent = { ...headers(), 'content-type': formType, 'transfer-encoding': 'chunked' }
    const chunk = (content: string) => `${content.length.toString(16)}\r\n${content}\r\n`
    await connection.send(requestHead('POST', `/file/${id}`, sent))
    await connection.send(chunk(partHead({ fileName: 'a.txt', content: '' }) + 'x'.repeat(2_000_000)))
    await until('bytes are kept free', () => reserved() > 0)
    if (how === 'DELETE /upload') await call(server, `DELETE /upload/${id}`, { as: member.session })
    else if (how === 'DELETE /me/uploads') await call(server, 'DELETE /me/uploads', { as: member.session })
    else if (how === 'DELETE /user') await call(server, `DELETE /user/${member.id}`, { as: server.admin })
    else {
      server.clock.advance(60_000)
      await server.clean()
    }
    expect(reserved()).toBe(0)
    await connection.send(chunk('x'.repeat(2_500_000)))
    const { status, body } = await connection.response()
    expect([status, JSON.parse(body.toString())]).toMatchObject([404, { code: 'file_not_found' }])
    connection.cut()
    if (how !== 'DELETE /user') expect([used(), reserved()]).toEqual([0, 0])
  },
)

test('a resumable file whose upload is removed as it begins is rejected, and reserves nothing', async () => {
  const { id } = jsonIn(await call(server, 'POST /upload', { as: member.session, body: {} })) as Upload
  await write(
    server,
    `create trigger gone after insert on resumables begin
      update files set status = 'removed' where id = new."fileId";
      update uploads set "deletedAt" = 1 where id = '${id}';
      update totals set uploads = 0;
    end`,
  )
  const sent = { 'tus-resumable': '1.0.0', 'upload-length': '700', 'upload-metadata': 'fileName YQ==' }
  const response = await call(server, `POST /tus/${id}`, { as: member.session, headers: sent })
  expect(errorIn(response)).toEqual({ status: 404, code: 'upload_not_found' })
  expect([used(), reserved()]).toEqual([0, 0])
})

test('the bytes that a process without a heartbeat was receiving are released after two minutes', async () => {
  const { config, directory, clock } = server
  const features = { feature_authentication: 'enabled' } as const
  const unresponsive = await startTestServer({
    features,
    config,
    directory,
    clock: manualClock(clock.now()),
    data,
  })
  const connection = await rawConnection(unresponsive.url)
  await connection.send(requestHead('PUT', '/name.txt', { ...headers(), 'content-length': 700 }))
  await until('the bytes are kept free', () => reserved() === 700)
  clock.advance(119_999)
  await server.clean()
  expect([used(), reserved()]).toEqual([700, 700])
  clock.advance(1)
  await server.clean()
  expect([used(), reserved()]).toEqual([0, 0])

  // It wakes up and continues: what it receives is lost, and nothing is released twice.
  await connection.send('x'.repeat(700))
  expect((await connection.response()).status).toBe(404)
  expect([used(), reserved()]).toEqual([0, 0])
  connection.cut()
  await unresponsive.close()
})
