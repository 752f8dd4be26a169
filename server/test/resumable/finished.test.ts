import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filePath } from '@svc/contract'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import {
  create,
  expectWhole,
  head,
  readListedFile,
  newTarget,
  patch,
  partType,
  tus,
  type TusFile,
  newFile,
} from './tus.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const bytes = randomBytes(10_000)
const started = (size = bytes.length) => newFile(server, { size })

describe('termination', () => {
  test('of an unfinished file releases its bytes', async () => {
    const file = await started()
    await patch(server, file, 0, bytes.subarray(0, 5_000))
    const response = await tus(server, file.target, 'DELETE', { path: file.path })
    expect([response.status, response.text]).toEqual([204, ''])
    expect((await readListedFile(server, file)).status).toBe('removed')
  })

  test('of a finished file removes it', async () => {
    const file = await started()
    await patch(server, file, 0, bytes)
    expect((await tus(server, file.target, 'DELETE', { path: file.path })).status).toBe(204)
    const path = filePath(file.target.id, file.id, 'file.bin')
    expect((await sendRequest(server.url, path)).status).toBe(404)
    expect((await head(server, file)).status).toBe(404)
  })
})

test('the method is a header where a proxy allows only POST', async () => {
  const file = await started()
  const override = (method: string, headers = {}, body?: Uint8Array) =>
    tus(server, file.target, 'POST', {
      path: file.path,
      headers: { 'x-http-method-override': method, ...headers },
      ...(body && { body }),
    })
  const part = { 'content-type': partType, 'upload-offset': 0 }
  const patched = await override('PATCH', part, bytes.subarray(0, 10))
  expect([patched.status, patched.headers['upload-offset']]).toEqual([204, '10'])
  expect((await override('HEAD')).headers['upload-offset']).toBe('10')
  expect(errorIn(await override('PUT')).status).toBe(400)
  expect((await override('delete')).status).toBe(204)
  expect((await readListedFile(server, file)).status).toBe('removed')
})

test('a file of a stream cannot be resumable', async () => {
  const target = await newTarget(server, { stream: true, files: [{ fileName: 'a' }] })
  const fileID = target.upload.files[0]?.id ?? ''
  for (const metadata of [{ fileName: 'x' }, { fileID }])
    expect(errorIn(await create(server, target, { size: 1, metadata }))).toEqual({
      status: 400,
      code: 'stream_not_declared',
    })
  expect((await server.client.upload(target.id)).files.map(({ status }) => status)).toEqual(['missing'])
})

describe('a finished file behaves as any other', () => {
  const upload = async (options: object, content: Uint8Array): Promise<TusFile> => {
    const file = await newFile(server, { size: content.length }, options)
    const half = Math.floor(content.length / 2)
    await patch(server, file, 0, content.subarray(0, half))
    await patch(server, file, half, content.subarray(half))
    return file
  }

  test('its type is detected from its first bytes, for any parts', async () => {
    const gif = Buffer.concat([Buffer.from('GIF89a'), randomBytes(10_000)])
    expect(await readListedFile(server, await upload({}, gif))).toMatchObject({ type: 'image/gif' })
    expect(await readListedFile(server, await upload({}, gif.subarray(0, 200)))).toMatchObject({
      type: 'image/gif',
    })
  })

  test('a one-shot file is downloaded once', async () => {
    const file = await upload({ oneShot: true }, bytes)
    const path = filePath(file.target.id, file.id, 'file.bin')
    expect((await sendRequest(server.url, path)).body.equals(bytes)).toBe(true)
    expect((await sendRequest(server.url, path)).status).toBe(404)
  })

  test('its checksum is correct in an archive', async () => {
    const file = await upload({}, bytes)
    const archive = (await sendRequest(server.url, `/archive/${file.target.id}/all.zip`)).body
    const entry = archive.indexOf('PK\x01\x02', 0, 'latin1')
    expect(archive.readUInt32LE(entry + 16)).toBe(crc32(bytes))
  })

  test('it cannot be downloaded before it is finished', async () => {
    const file = await started()
    await patch(server, file, 0, bytes.subarray(0, 9_999))
    expect((await sendRequest(server.url, filePath(file.target.id, file.id, 'file.bin'))).status).toBe(404)
    expect((await sendRequest(server.url, `/archive/${file.target.id}/all.zip`)).status).toBe(404)
  })
})

describe('an encrypted upload', () => {
  test('accepts encrypted files', async () => {
    const encrypted = Buffer.concat([Buffer.from('age-encryption.org/v1\n'), randomBytes(100)])
    const file = await newFile(server, { size: encrypted.length }, { e2ee: 'age' })
    await patch(server, file, 0, encrypted.subarray(0, 5))
    await patch(server, file, 5, encrypted.subarray(5))
    await expectWhole(server, file, encrypted)
  })

  test.each([10_000, 20])('rejects a plain file of %d bytes', async (size) => {
    const plain = randomBytes(size)
    const file = await newFile(server, { size }, { e2ee: 'age' })
    await patch(server, file, 0, plain.subarray(0, 10))
    expect(errorIn(await patch(server, file, 10, plain.subarray(10)))).toEqual({
      status: 400,
      code: 'not_encrypted',
    })
    expect((await readListedFile(server, file)).status).toBe('removed')
  })
})
