import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { errorIn } from '../support/clients/send-request.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import {
  checksum,
  chunk,
  expectWhole,
  newFile,
  offsetOf,
  partType,
  patch,
  version,
  type TusFile,
} from './tus.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const bytes = randomBytes(10_000)

/** A part in chunks, of which the trailer has not been sent. */
async function beginPart(
  { target, path }: TusFile,
  { offset = 0, part = bytes, headers = {} }: { offset?: number; part?: Uint8Array; headers?: object } = {},
) {
  const connection = await rawConnection(server.url)
  const head = requestHead('PATCH', path, {
    ...version,
    ...target.headers,
    'content-type': partType,
    'upload-offset': offset,
    'transfer-encoding': 'chunked',
    trailer: 'Upload-Checksum',
    ...headers,
  })
  await connection.send(head)
  await connection.send(chunk(part))
  const respond = async () => {
    const { status, headers: received, body } = await connection.response()
    const text = body.toString()
    const { code } = text === '' ? {} : errorIn({ status, headers: {}, body, text })
    return { status, offset: received['upload-offset'], code }
  }
  return {
    connection,
    end: async (trailer: string) => {
      await connection.send(`0\r\n${trailer}\r\n`)
      return respond()
    },
  }
}

const trailer = (value: string) => `Upload-Checksum: ${value}\r\n`

describe('a checksum in the trailer of a part', () => {
  test.each(['md5', 'sha1', 'sha256', 'sha512'])('of the algorithm %s is verified', async (algorithm) => {
    const file = await newFile(server, { size: bytes.length })
    const { end } = await beginPart(file)
    expect(await end(trailer(checksum(bytes, algorithm)))).toEqual({
      status: 204,
      offset: '10000',
      code: undefined,
    })
    await expectWhole(server, file, bytes)
  })

  test.each([
    ['of other bytes', trailer(checksum(randomBytes(10), 'sha256')), 460, 'checksum_mismatch'],
    ['of an unknown algorithm', trailer('crc32 AAAA'), 400, 'invalid_request'],
    ['that is not base64', trailer('sha1 **'), 400, 'invalid_request'],
    ['that is announced, but not sent', '', 400, 'invalid_request'],
  ])('%s is refused, and the part does not count', async (_what, wrong, status, code) => {
    const file = await newFile(server, { size: bytes.length })
    const { end } = await beginPart(file)
    expect(await end(wrong)).toMatchObject({ status, code })
    expect(await offsetOf(server, file)).toBe(0)
    expect((await patch(server, file, 0, bytes)).status).toBe(204)
    await expectWhole(server, file, bytes)
  })

  test('concerns its part alone', async () => {
    const file = await newFile(server, { size: bytes.length })
    expect((await patch(server, file, 0, bytes.subarray(0, 4_000))).status).toBe(204)
    const part = bytes.subarray(4_000)
    const wrong = await beginPart(file, { offset: 4_000, part })
    expect((await wrong.end(trailer(checksum(bytes)))).status).toBe(460)
    expect(await offsetOf(server, file)).toBe(4_000)
    const right = await beginPart(file, { offset: 4_000, part })
    expect((await right.end(trailer(checksum(part)))).status).toBe(204)
    await expectWhole(server, file, bytes)
  })

  test('is missing when the connection breaks: the part does not count', async () => {
    const file = await newFile(server, { size: bytes.length })
    const { connection } = await beginPart(file)
    connection.cut()
    await until('the part has ended', async () => (await offsetOf(server, file)) === 0)
  })

  test('is refused if a header has one, too', async () => {
    const file = await newFile(server, { size: bytes.length })
    const headers = { 'upload-checksum': checksum(bytes) }
    const { end } = await beginPart(file, { headers })
    expect(await end(trailer(checksum(bytes)))).toMatchObject({ status: 400, code: 'invalid_request' })
  })

  test('verifies the first part, too, which comes with the creation of its file', async () => {
    const target = (await newFile(server)).target
    const connection = await rawConnection(server.url)
    const head = requestHead('POST', `/tus/${target.id}`, {
      ...version,
      ...target.headers,
      'content-type': partType,
      'upload-length': bytes.length,
      'upload-metadata': 'fileName YQ==',
      'transfer-encoding': 'chunked',
      trailer: 'X-Other, upload-checksum',
    })
    await connection.send(head)
    await connection.send(chunk(bytes))
    await connection.send(`0\r\n${trailer(checksum(randomBytes(5)))}\r\n`)
    expect((await connection.response()).status).toBe(460)
  })
})
