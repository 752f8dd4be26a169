import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { becomes, declareStream, expectToWork, sendWhole, statusOf, type Declared } from './streams.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const broken = { status: 502, code: 'stream_broken' }

describe('invalid bytes of a stream', () => {
  async function sendWrongBytes(declared: Declared, content: string | Uint8Array) {
    const sent = sendWhole(server.url, declared, content)
    await becomes(server, declared, 'uploading')
    const got = await sendRequest(server.url, declared.path).catch((error: unknown) => error)
    return { sent: errorIn(await sent), got }
  }

  test.each([
    ['more', 7, 'contents', 'size_mismatch'],
    ['less', 9, 'contents', 'size_mismatch'],
  ] as const)('%s than declared: the file is missing again', async (_case, fileSize, content, code) => {
    const declared = await declareStream(server, { fileSize })
    const { sent } = await sendWrongBytes(declared, content)
    expect(sent).toEqual({ status: 400, code })
    await expectToWork(server, declared, { content: 'x'.repeat(fileSize) })
  })

  test.each([-1, 1])('a large file whose size is wrong by %i never looks complete', async (difference) => {
    const bytes = randomBytes(3_000_000)
    const declared = await declareStream(server, { fileSize: bytes.length - difference })
    const { sent, got } = await sendWrongBytes(declared, bytes)
    expect(sent).toEqual({ status: 400, code: 'size_mismatch' })
    expect(got).toBeInstanceOf(Error)
  })

  test('a file above the limit is cut at the first excess byte', async () => {
    const small = await startTestServer({ config: { maxFileSize: 200_000 } })
    try {
      const declared = await declareStream(small)
      const sent = sendWhole(small.url, declared, randomBytes(200_001))
      await becomes(small, declared, 'uploading')
      await expect(sendRequest(small.url, declared.path)).rejects.toThrow()
      expect(errorIn(await sent)).toEqual({ status: 413, code: 'file_too_big' })
      await expectToWork(small, declared, { content: 'x'.repeat(200_000) })
    } finally {
      await small.close()
    }
  })

  test('plain bytes in an encrypted upload do not reach the recipient', async () => {
    const declared = await declareStream(server, { e2ee: 'age' })
    const { sent, got } = await sendWrongBytes(declared, 'x'.repeat(10_000))
    expect(sent).toEqual({ status: 400, code: 'not_encrypted' })
    expect(errorIn(got as never)).toEqual(broken)
    await expectToWork(server, declared, { content: `age-encryption.org/v1\n${'x'.repeat(10_000)}` })
  })

  test('a form that ends in the middle', async () => {
    const declared = await declareStream(server)
    const sent = sendRequest(server.url, declared.path, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'x-uploadtoken': declared.token },
      body: '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\ncontent',
    })
    await becomes(server, declared, 'uploading')
    const got = await sendRequest(server.url, declared.path)
    expect(errorIn(got)).toEqual(broken)
    expect(errorIn(await sent)).toEqual({ status: 400, code: 'invalid_multipart' })
    expect(await statusOf(server, declared)).toBe('missing')
  })
})
