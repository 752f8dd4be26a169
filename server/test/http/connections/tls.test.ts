import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest } from '../../support/clients/send-request.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { selfSigned } from '../../support/servers/self-signed.ts'
import { randomBytes } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

let directory: string
let server: TestServer
let ca: string

beforeAll(async () => {
  directory = await temporaryDirectory()
  const { key, cert } = selfSigned(directory, { name: 'server', holder: 'IP:127.0.0.1', days: 2 })
  ca = readFileSync(cert, 'utf8')
  server = await startTestServer({ config: { ssl: { cert, key }, assumeHTTPS: true } })
})
afterAll(async () => {
  await server.close()
})

test('files are uploaded and downloaded over TLS, and links use https', async () => {
  expect(server.url).toMatch(/^https:/)
  const bytes = Buffer.from(randomBytes(2_000_000))
  const { status, text } = await sendRequest(server.url, '/name', { method: 'PUT', body: bytes, ca })
  expect([status, text.startsWith(`${server.url}/file/`)]).toEqual([200, true])
  const path = text.trim().replace(server.url, '')
  expect((await sendRequest(server.url, path, { ca })).body.equals(bytes)).toBe(true)
  const part = await sendRequest(server.url, path, { ca, headers: { range: 'bytes=1000000-1000009' } })
  expect([part.status, part.body.equals(bytes.subarray(1_000_000, 1_000_010))]).toEqual([206, true])
})

test('a one-shot file is served once over TLS', async () => {
  const { text } = await sendRequest(server.url, '/name?oneShot=true', { method: 'PUT', body: 'once', ca })
  const path = text.trim().replace(server.url, '')
  const responses = await Promise.all(Array.from({ length: 20 }, () => sendRequest(server.url, path, { ca })))
  expect(responses.filter(({ status }) => status === 200).map(({ text: body }) => body)).toEqual(['once'])
})

test('plain HTTP on the HTTPS port is rejected, and the server continues', async () => {
  const connection = await rawConnection(server.url)
  await connection.send(requestHead('GET', '/health'))
  await connection.rest()
  expect((await sendRequest(server.url, '/health', { ca })).text).toBe('ok')
})
