import { archivePath, type Upload } from '@svc/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { storedFiles } from '../../support/servers/server-data.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { until } from '../../support/until.ts'

const second = 1_000
const minute = 60 * second

let server: TestServer
beforeEach(async () => {
  server = await startTestServer({ features: { feature_extend_ttl: 'enabled' } })
})
afterEach(() => server.close())

describe('an expired upload', () => {
  test('exists until its last moment, then is missing on every route', async () => {
    const { upload, uploadToken, path } = await storeUpload(server, 'brief', { ttl: 60, removable: true })
    server.clock.advance(60 * second - 1)
    expect((await sendRequest(server.url, path)).text).toBe('brief')
    server.clock.advance(1)
    const headers = { 'x-uploadtoken': uploadToken }
    const form = { method: 'POST', headers: { ...headers, 'content-type': formType }, body: fileForm('x') }
    const responses = await Promise.all([
      sendRequest(server.url, `/upload/${upload.id}`, { headers }),
      sendRequest(server.url, path),
      sendRequest(server.url, path, { headers }),
      sendRequest(server.url, archivePath(upload.id, 'a.zip')),
      sendRequest(server.url, path, { method: 'DELETE' }),
      sendRequest(server.url, `/file/${upload.id}`, form),
      sendRequest(server.url, `/upload/${upload.id}`, { method: 'DELETE', headers }),
    ])
    expect(responses.map(errorIn)).toEqual(responses.map(() => ({ status: 404, code: 'upload_not_found' })))
    expect((await sendRequest(server.url, path, { method: 'HEAD' })).status).toBe(404)
  })

  test('loses its bytes in the next cleanup, and other uploads keep theirs', async () => {
    await storeUpload(server, 'brief', { ttl: 60 })
    const { path, file } = await storeUpload(server, 'lasting', { ttl: 3_600 })
    server.clock.advance(minute)
    expect(await server.clean()).toEqual({
      expiredUploads: 1,
      removedUploads: 0,
      abandonedFiles: 0,
      unfinishedFiles: 0,
      deletedFiles: 1,
      blankedUploads: 1,
      purgedUploads: 0,
      failedDeletions: 0,
    })
    expect(storedFiles(server)).toEqual([file.id])
    expect((await sendRequest(server.url, path)).text).toBe('lasting')
    expect(await server.clean()).toEqual({
      expiredUploads: 0,
      removedUploads: 0,
      abandonedFiles: 0,
      unfinishedFiles: 0,
      deletedFiles: 0,
      blankedUploads: 0,
      purgedUploads: 0,
      failedDeletions: 0,
    })
  })
})

test('the cleanup of a server does not remove a file that it is receiving', async () => {
  const { client, clock, config } = server
  const { file: expired } = await storeUpload(server, 'brief', { ttl: 60 })
  const { id, uploadToken } = await client.createUpload()
  async function* chunks() {
    yield new TextEncoder().encode('before the cleanup, ')
    await until('the server receives the file', async () => {
      const { files } = await client.upload(id, { uploadToken })
      return files[0]?.status === 'uploading'
    })
    // Not `server.clean`, which acts as another instance.
    clock.advance(config.cleaningInterval * second)
    await until('the cleanup has deleted other bytes', () => !storedFiles(server).includes(expired.id))
    yield new TextEncoder().encode('and after it')
  }
  const form = { fileName: 'slow.txt', uploadToken, resumable: false } as const
  const file = await client.addFile(id, { chunks: chunks() }, form)
  expect(await (await client.download({ id }, file)).text()).toBe('before the cleanup, and after it')
})

describe('an upload that is extended by downloads', () => {
  const hour = 3_600
  const endOf = async ({ id }: Pick<Upload, 'id'>) => {
    const { expireAt } = await server.client.upload(id)
    return new Date(expireAt ?? '').getTime() - server.clock.now()
  }

  test('is extended by its whole TTL, at most once a minute', async () => {
    const { upload, path } = await storeUpload(server, 'x', { ttl: hour, extend_ttl: true })
    const left: number[] = []
    for (const passed of [minute - 1, 1, minute - 1, 1, 30 * minute]) {
      server.clock.advance(passed)
      await sendRequest(server.url, path)
      left.push(await endOf(upload))
    }
    const whole = hour * second
    expect(left).toEqual([whole - minute + 1, whole, whole - minute + 1, whole, whole])
  })

  test('is extended by the archive and by a range, not by other requests', async () => {
    const { upload, path } = await storeUpload(server, 'x', { ttl: hour, extend_ttl: true })
    server.clock.advance(10 * minute)
    await sendRequest(server.url, path, { method: 'HEAD' })
    await sendRequest(server.url, path, { method: 'OPTIONS' })
    await sendRequest(server.url, `/upload/${upload.id}`)
    expect(await endOf(upload)).toBe((hour - 600) * second)
    await sendRequest(server.url, path, { headers: { range: 'bytes=0-0' } })
    expect(await endOf(upload)).toBe(hour * second)
    server.clock.advance(10 * minute)
    await sendRequest(server.url, archivePath(upload.id, 'a.zip'))
    expect(await endOf(upload)).toBe(hour * second)
  })

  test('is not extended without the option, or without an expiry', async () => {
    const { upload, path } = await storeUpload(server, 'x', { ttl: hour })
    server.clock.advance(10 * minute)
    await sendRequest(server.url, path)
    expect(await endOf(upload)).toBe((hour - 600) * second)
  })

  test('survives a cleanup after its first expiry', async () => {
    const { path } = await storeUpload(server, 'x', { ttl: 120, extend_ttl: true })
    server.clock.advance(100 * second)
    await sendRequest(server.url, path)
    server.clock.advance(100 * second)
    expect((await server.clean()).expiredUploads).toBe(0)
    expect((await sendRequest(server.url, path)).status).toBe(200)
  })
})

describe('removing', () => {
  test('a file: it is listed as removed, cannot be downloaded, and can be removed once', async () => {
    const { upload, uploadToken, path } = await storeUpload(server)
    const remove = { method: 'DELETE', headers: { 'x-uploadtoken': uploadToken } }
    const first = await sendRequest(server.url, path, remove)
    expect([first.status, first.text, first.headers['content-type']]).toEqual([
      200,
      'ok',
      'text/plain; charset=utf-8',
    ])
    expect(errorIn(await sendRequest(server.url, path, remove))).toEqual({
      status: 404,
      code: 'file_not_found',
    })
    expect((await server.client.upload(upload.id)).files.map(({ status }) => status)).toEqual(['removed'])
    expect(errorIn(await sendRequest(server.url, path))).toEqual({ status: 404, code: 'file_not_found' })
    await server.clean()
    expect((await server.client.upload(upload.id)).files.map(({ status }) => status)).toEqual(['deleted'])
    expect(storedFiles(server)).toEqual([])
    expect(errorIn(await sendRequest(server.url, path, remove))).toEqual({
      status: 404,
      code: 'file_not_found',
    })
  })

  test('an upload: all of it is missing, and it can be removed once', async () => {
    const { upload, uploadToken, path } = await storeUpload(server)
    const remove = { method: 'DELETE', headers: { 'x-uploadtoken': uploadToken } }
    const first = await sendRequest(server.url, `/upload/${upload.id}`, remove)
    expect([first.status, first.text]).toEqual([200, 'ok'])
    const removed = { status: 404, code: 'upload_not_found' }
    expect(errorIn(await sendRequest(server.url, `/upload/${upload.id}`, remove))).toEqual(removed)
    expect(errorIn(await sendRequest(server.url, path))).toEqual(removed)
    await server.clean()
    expect(storedFiles(server)).toEqual([])
  })

  test('in parallel succeeds for one request', async () => {
    const { path } = await storeUpload(server, 'x', { removable: true })
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => sendRequest(server.url, path, { method: 'DELETE' })),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(19)
  })
})

test('a token makes its holder the admin of its upload only', async () => {
  const { upload, uploadToken } = await storeUpload(server)
  const other = await storeUpload(server)
  const shown = await server.client.upload(upload.id, { uploadToken })
  expect(shown).toMatchObject({ admin: true })
  expect(shown).not.toHaveProperty('uploadToken')
  expect(await server.client.upload(other.upload.id, { uploadToken })).toMatchObject({ admin: false })
})
