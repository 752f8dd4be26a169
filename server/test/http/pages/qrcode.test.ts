import { limits } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../../support/clients/send-request.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const code = (url: string, size?: number) => {
  const query = new URLSearchParams({ url, ...(size !== undefined && { size: String(size) }) })
  return sendRequest(server.url, `/qrcode?${query.toString()}`)
}
/** Width and height of a PNG, from its first chunk (PNG specification, 11.2.1). */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]

test.each([1, 33, 100, 200, 1000, 2048])('a url of %i characters has the requested size', async (length) => {
  const url = 'a'.repeat(length)
  for (const size of [undefined, 181, 249, 250, 251, 999, 1000]) {
    const { status, headers, body } = await code(url, size)
    expect([status, headers['content-type']]).toEqual([200, 'image/png'])
    expect(sizeOf(body)).toEqual([size ?? limits.qrCodeDefaultPixels, size ?? limits.qrCodeDefaultPixels])
  }
})

test('a size that is too small for the code is rejected, and the error names the smallest size', async () => {
  const url = 'https://svc.example/#/?id=abcdefghijklmnop'
  const rejected = await code(url, 32)
  expect(errorIn(rejected)).toEqual({ status: 400, code: 'invalid_request' })
  const least = Number(/at least (\d+)/.exec(rejected.text)?.[1])
  expect((await code(url, least - 1)).status).toBe(400)
  expect(sizeOf((await code(url, least)).body)).toEqual([least, least])
})

test.each(['é', 'あ', '😀'])(
  'a text that no code can hold is rejected, even with few characters: %s',
  async (letter) => {
    expect(errorIn(await code(letter.repeat(2048 / letter.length)))).toEqual({
      status: 400,
      code: 'invalid_request',
    })
  },
)
