import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import {
  begin,
  create,
  expectWhole,
  head,
  readListedFile,
  offsetOf,
  newTarget,
  pairs,
  patch,
  partType,
  tus,
  untilListed,
  version,
  newFile,
} from './tus.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { maxFileSize: 1_000_000 } })
})
afterAll(() => server.close())

const bytes = randomBytes(10_000)
const started = (size: number | null = bytes.length) => newFile(server, { size })

test('OPTIONS describes the protocol, without a token', async () => {
  const { id } = await newTarget(server)
  const response = await sendRequest(server.url, `/tus/${id}`, { method: 'OPTIONS' })
  expect(response.status).toBe(204)
  expect(response.headers).toMatchObject({
    'tus-resumable': '1.0.0',
    'tus-version': '1.0.0',
    'tus-extension':
      'creation,creation-with-upload,creation-defer-length,termination,expiration,checksum,checksum-trailer,concatenation',
    'tus-max-size': '1000000',
    'tus-checksum-algorithm': 'md5,sha1,sha256,sha512',
  })
})

describe('creation', () => {
  test('returns the URL, the offset 0 and the expiry of the file', async () => {
    const target = await newTarget(server)
    const response = await create(server, target, {
      size: 5,
      metadata: { filename: 'nämé.txt', reference: 'r' },
    })
    const id = String(response.headers['x-fileid'])
    expect([response.status, response.headers]).toMatchObject([
      201,
      {
        'tus-resumable': '1.0.0',
        location: `${server.url}/tus/${target.id}/${id}`,
        'upload-offset': '0',
        'upload-expires': new Date(server.clock.now() + 86_400_000).toUTCString(),
      },
    ])
    const file = { target, id, path: `/tus/${target.id}/${id}` }
    const { status, headers } = await head(server, file)
    expect([status, headers]).toMatchObject([
      200,
      {
        'cache-control': 'no-store',
        'tus-resumable': '1.0.0',
        'upload-length': '5',
        'upload-offset': '0',
        'upload-metadata': pairs({ fileName: 'nämé.txt', reference: 'r' }),
      },
    ])
    expect(headers).not.toHaveProperty('upload-defer-length')
    expect(await readListedFile(server, file)).toMatchObject({ fileSize: 5, offset: 0, status: 'uploading' })
  })

  test('with all its bytes finishes the file', async () => {
    const target = await newTarget(server)
    const response = await create(server, target, { size: bytes.length, body: bytes })
    expect([response.status, response.headers['upload-offset']]).toEqual([201, '10000'])
    expect(response.headers).not.toHaveProperty('upload-expires')
    const id = String(response.headers['x-fileid'])
    await expectWhole(server, { target, id, path: '' }, bytes)
  })

  test('with a first part that is cut keeps the received bytes', async () => {
    const target = await newTarget(server)
    const connection = await rawConnection(server.url)
    const headers = {
      ...version,
      ...target.headers,
      'content-type': partType,
      'content-length': bytes.length,
      'upload-length': bytes.length,
      'upload-metadata': pairs({ fileName: 'file.bin' }),
    }
    await connection.send(requestHead('POST', `/tus/${target.id}`, headers))
    await connection.send(bytes.subarray(0, 4_000))
    const id = await until('the file is begun', async () => {
      const { files } = await server.client.upload(target.id)
      return files[0]?.id
    })
    connection.socket.end()
    await connection.rest()
    const file = { target, id, path: `/tus/${target.id}/${id}` }
    await untilListed(server, file, 4_000)
    expect(await offsetOf(server, file)).toBe(4_000)
    expect((await patch(server, file, 4_000, bytes.subarray(4_000))).status).toBe(204)
    await expectWhole(server, file, bytes)
  })

  test('of an empty file finishes it at once', async () => {
    const file = await started(0)
    await expectWhole(server, file, new Uint8Array())
    expect(await offsetOf(server, file)).toBe(0)
  })

  test('keeps the folders of a name', async () => {
    const file = await newFile(server, {
      size: bytes.length,
      metadata: { fileName: 'a/b c/d.bin' },
    })
    await patch(server, file, 0, bytes)
    await expectWhole(server, file, bytes, { name: 'a/b c/d.bin' })
  })

  test('of a declared file keeps its name and entry, and is possible once', async () => {
    const target = await newTarget(server, { files: [{ fileName: 'a/b.bin', reference: '1' }] })
    const fileID = target.upload.files[0]?.id ?? ''
    const file = await begin(server, target, { size: bytes.length, metadata: { fileID, fileName: 'other' } })
    expect(file.id).toBe(fileID)
    expect(errorIn(await create(server, target, { metadata: { fileID } }))).toEqual({
      status: 409,
      code: 'file_not_missing',
    })
    await patch(server, file, 0, bytes)
    await expectWhole(server, file, bytes, { name: 'a/b.bin' })
    expect((await server.client.upload(target.id)).files).toHaveLength(1)
  })

  test('accepts one more file when the number of files allows it', async () => {
    const limitedServer = await startTestServer({ config: { maxFilePerUpload: 1 } })
    try {
      const target = await newTarget(limitedServer)
      const file = await begin(limitedServer, target, { size: 1 })
      expect(errorIn(await create(limitedServer, target, { size: 1 }))).toEqual({
        status: 400,
        code: 'too_many_files',
      })
      expect((await tus(limitedServer, target, 'DELETE', { path: file.path })).status).toBe(204)
      await begin(limitedServer, target, { size: 1 })
    } finally {
      await limitedServer.close()
    }
  })
})

/** Creations that are rejected, and leave no file behind. */
const wrongCreations: readonly (readonly [string, Record<string, string>, number, string])[] = [
  ['no length', {}, 400, 'invalid_request'],
  ['a negative length', { 'upload-length': '-1' }, 400, 'invalid_request'],
  ['a fraction', { 'upload-length': '1.5' }, 400, 'invalid_request'],
  ['an exponent', { 'upload-length': '1e3' }, 400, 'invalid_request'],
  ['a hexadecimal length', { 'upload-length': '0x10' }, 400, 'invalid_request'],
  ['a length that cannot be counted', { 'upload-length': '9007199254740993' }, 400, 'invalid_request'],
  ['a length of many digits', { 'upload-length': '1'.repeat(400) }, 400, 'invalid_request'],
  ['not a number', { 'upload-length': 'NaN' }, 400, 'invalid_request'],
  ['two lengths', { 'upload-length': '1, 1' }, 400, 'invalid_request'],
  ['a length now and later', { 'upload-length': '1', 'upload-defer-length': '1' }, 400, 'invalid_request'],
  ['a strange deferral', { 'upload-defer-length': '2' }, 400, 'invalid_request'],
  ['more than a file may have', { 'upload-length': '1000001' }, 413, 'file_too_big'],
  ['no name', { 'upload-length': '1', 'upload-metadata': '' }, 400, 'invalid_request'],
  [
    'metadata that is not base64',
    { 'upload-length': '1', 'upload-metadata': 'fileName %%' },
    400,
    'invalid_request',
  ],
  [
    'a bad name',
    { 'upload-length': '1', 'upload-metadata': pairs({ fileName: 'a\n' }) },
    400,
    'invalid_file_name',
  ],
  [
    'a folder above',
    { 'upload-length': '1', 'upload-metadata': pairs({ fileName: 'a/../b' }) },
    400,
    'invalid_file_name',
  ],
  [
    'an unknown file',
    { 'upload-length': '1', 'upload-metadata': pairs({ fileID: 'x' }) },
    404,
    'file_not_found',
  ],
  ['another version', { 'upload-length': '1', 'tus-resumable': '0.2.2' }, 412, 'unsupported_version'],
  ['no version', { 'upload-length': '1', 'tus-resumable': '' }, 412, 'unsupported_version'],
]
test.each(wrongCreations)('creation with %s is rejected', async (_case, headers, status, code) => {
  const target = await newTarget(server)
  const metadata = { 'upload-metadata': pairs({ fileName: 'x' }) }
  const response = await tus(server, target, 'POST', { headers: { ...metadata, ...headers } })
  expect(errorIn(response)).toEqual({ status, code })
  expect(response.headers['tus-resumable']).toBe('1.0.0')
  expect((await server.client.upload(target.id)).files).toEqual([])
})

test('the type of a first part may have capital letters and a parameter', async () => {
  const target = await newTarget(server)
  const headers = { 'content-type': 'Application/Offset+Octet-Stream; x=y' }
  const response = await create(server, target, { size: 10, body: new Uint8Array(10), headers })
  expect(response.status).toBe(201)
})

/** The same with a first part. */
const wrongFirstParts: readonly (readonly [string, Record<string, string>, number, string])[] = [
  ['of another type', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['longer than the file', { 'upload-length': '9' }, 400, 'size_mismatch'],
  ['with a checksum of an unknown kind', { 'upload-checksum': 'crc32 AAAA' }, 400, 'invalid_request'],
]
test.each(wrongFirstParts)(
  'a first part %s is rejected with its file',
  async (_case, headers, status, code) => {
    const target = await newTarget(server)
    const response = await create(server, target, { size: 10, body: new Uint8Array(10), headers })
    expect(errorIn(response)).toEqual({ status, code })
    expect((await server.client.upload(target.id)).files).toEqual([])
  },
)
