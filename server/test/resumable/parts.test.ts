import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorIn } from '../support/clients/send-request.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { lookUp } from '../support/servers/server-data.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import {
  chunk,
  expectWhole,
  head,
  readListedFile,
  offsetOf,
  beginPart,
  patch,
  breakOff,
  checksum,
  untilListed,
  newFile,
} from './tus.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const bytes = randomBytes(10_000)
const started = (size: number | null = bytes.length) => newFile(server, { size })

describe('PATCH', () => {
  test('continues until the file is complete, and returns the offset each time', async () => {
    const file = await started()
    for (const offset of [0, 2_500, 5_000, 7_500]) {
      const response = await patch(server, file, offset, bytes.subarray(offset, offset + 2_500))
      expect([response.status, response.headers['upload-offset']]).toEqual([204, String(offset + 2_500)])
      expect(response.headers['upload-expires'] === undefined).toBe(offset === 7_500)
      expect(await offsetOf(server, file)).toBe(offset + 2_500)
    }
    await expectWhole(server, file, bytes)
  })

  const wrongParts: readonly (readonly [string, Record<string, string>, number, string])[] = [
    ['at an earlier offset', { 'upload-offset': '99' }, 409, 'offset_mismatch'],
    ['at a later offset', { 'upload-offset': '101' }, 409, 'offset_mismatch'],
    ['without an offset', { 'upload-offset': '' }, 400, 'invalid_request'],
    ['at a negative offset', { 'upload-offset': '-100' }, 400, 'invalid_request'],
    ['at a fraction', { 'upload-offset': '100.0' }, 400, 'invalid_request'],
    ['of another type', { 'content-type': 'application/octet-stream' }, 415, 'unsupported_media_type'],
    ['of another version', { 'tus-resumable': '2.0.0' }, 412, 'unsupported_version'],
    ['with another length', { 'upload-length': '10001' }, 400, 'size_mismatch'],
    ['with a length that is none', { 'upload-length': '-1' }, 400, 'invalid_request'],
    ['with the checksum of other bytes', { 'upload-checksum': 'sha1 AAAA' }, 460, 'checksum_mismatch'],
    ['with an unknown checksum', { 'upload-checksum': 'sha0 AAAA' }, 400, 'invalid_request'],
    ['with a checksum that is none', { 'upload-checksum': 'sha1' }, 460, 'checksum_mismatch'],
    ['with a checksum that is not base64', { 'upload-checksum': 'sha1 **' }, 400, 'invalid_request'],
  ]
  test.each(wrongParts)(
    '%s is rejected, and the file continues at its offset',
    async (_case, headers, status, code) => {
      const file = await started()
      await patch(server, file, 0, bytes.subarray(0, 100))
      const response = await patch(server, file, 100, bytes.subarray(100, 300), headers)
      expect(errorIn(response)).toEqual({ status, code })
      expect(response.headers['tus-resumable']).toBe('1.0.0')
      if (status === 412) expect(response.headers['tus-version']).toBe('1.0.0')
      if (code === 'offset_mismatch') expect(response.headers['upload-offset']).toBe('100')
      expect(await offsetOf(server, file)).toBe(100)
      expect((await patch(server, file, 100, bytes.subarray(100))).status).toBe(204)
      await expectWhole(server, file, bytes)
    },
  )

  test('with more bytes than the file has is rejected: when announced, no byte is kept', async () => {
    const file = await started()
    expect(errorIn(await patch(server, file, 0, new Uint8Array(10_001)))).toEqual({
      status: 400,
      code: 'size_mismatch',
    })
    expect(await offsetOf(server, file)).toBe(0)
    await patch(server, file, 0, bytes)
    await expectWhole(server, file, bytes)
  })

  test('with more bytes than the file has is rejected: in chunks, at the first excess byte', async () => {
    const file = await started()
    const connection = await beginPart(server, file, 0, null)
    await connection.send(chunk(bytes))
    await connection.send(chunk(new Uint8Array(1)))
    const { status } = await connection.response()
    expect(status).toBe(400)
    connection.cut()
    const offset = await offsetOf(server, file)
    expect(offset).toBeLessThanOrEqual(bytes.length)
    await patch(server, file, offset, bytes.subarray(offset))
    await expectWhole(server, file, bytes)
  })

  test('in chunks that end early leaves the file unfinished', async () => {
    const file = await started()
    const connection = await beginPart(server, file, 0, null)
    await connection.send(chunk(bytes.subarray(0, 3_000)))
    await connection.send('0\r\n\r\n')
    expect(await connection.response()).toMatchObject({ status: 204, headers: { 'upload-offset': '3000' } })
    connection.cut()
    await patch(server, file, 3_000, bytes.subarray(3_000))
    await expectWhole(server, file, bytes)
  })

  test('whose sender pauses commits the received bytes, once in each pause', async () => {
    const whole = randomBytes(3_000_000)
    const file = await started(whole.length)
    const connection = await beginPart(server, file, 0, whole.length)
    for (const [from, to] of [
      [0, 1_000_001],
      [1_000_001, 1_000_002],
      [1_000_002, 2_900_000],
    ] as const) {
      await connection.send(whole.subarray(from, to))
      await until('all received bytes are committed', () => {
        server.clock.advance(1_000)
        return lookUp(server, `select received from resumables where fileId = '${file.id}'`)[0] === to
      })
    }
    await connection.send(whole.subarray(2_900_000))
    expect((await connection.response()).status).toBe(204)
    connection.cut()
    await expectWhole(server, file, whole)
  })

  test('that is cut keeps the received bytes', async () => {
    const file = await started()
    await breakOff(server, file, 0, bytes.subarray(0, 4_000), { announced: bytes.length })
    await untilListed(server, file, 4_000)
    await patch(server, file, 4_000, bytes.subarray(4_000))
    await expectWhole(server, file, bytes)
  })

  test('that is cut and carries a checksum does not count', async () => {
    const file = await started()
    const headers = { announced: bytes.length, 'upload-checksum': checksum(bytes) }
    await breakOff(server, file, 0, bytes.subarray(0, 4_000), headers)
    expect(await offsetOf(server, file)).toBe(0)
    expect((await patch(server, file, 0, bytes, { 'upload-checksum': checksum(bytes) })).status).toBe(204)
    await expectWhole(server, file, bytes)
  })

  test('without a body changes only the expiry', async () => {
    const file = await started()
    await patch(server, file, 0, bytes.subarray(0, 10))
    server.clock.advance(60_000)
    const response = await patch(server, file, 10, new Uint8Array())
    expect([response.status, response.headers]).toMatchObject([
      204,
      { 'upload-offset': '10', 'upload-expires': new Date(server.clock.now() + 86_400_000).toUTCString() },
    ])
  })
})

describe('a deferred length', () => {
  test('is declared with any part, once, and then returned', async () => {
    const file = await started(null)
    await patch(server, file, 0, bytes.subarray(0, 4_000))
    const before = await head(server, file)
    expect(before.headers).toMatchObject({ 'upload-defer-length': '1', 'upload-offset': '4000' })
    expect(before.headers).not.toHaveProperty('upload-length')
    const rest = { 'upload-length': bytes.length }
    expect((await patch(server, file, 4_000, bytes.subarray(4_000, 8_000), rest)).status).toBe(204)
    expect((await head(server, file)).headers).toMatchObject({ 'upload-length': '10000' })
    await patch(server, file, 8_000, bytes.subarray(8_000), rest)
    await expectWhole(server, file, bytes)
  })

  test('may be declared after all bytes', async () => {
    const file = await started(null)
    await patch(server, file, 0, bytes)
    expect((await readListedFile(server, file)).status).toBe('uploading')
    await patch(server, file, bytes.length, new Uint8Array(), { 'upload-length': bytes.length })
    await expectWhole(server, file, bytes)
  })

  test('may be zero', async () => {
    const file = await started(null)
    await patch(server, file, 0, new Uint8Array(), { 'upload-length': 0 })
    await expectWhole(server, file, new Uint8Array())
  })

  test('cannot be less than the received bytes', async () => {
    const file = await started(null)
    await patch(server, file, 0, bytes.subarray(0, 4_000))
    const less = await patch(server, file, 4_000, new Uint8Array(), { 'upload-length': 3_999 })
    expect(errorIn(less)).toEqual({ status: 400, code: 'size_mismatch' })
    expect(await offsetOf(server, file)).toBe(4_000)
  })
})
