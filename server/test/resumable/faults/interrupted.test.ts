import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomBytes } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { until } from '../../support/until.ts'
import { beginPart, newFile, patch } from '../tus.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const bytes = randomBytes(10_000)

test('everyone sees that no connection sends an incomplete file', async () => {
  const file = await newFile(server, { size: bytes.length })
  const isInterrupted = async () =>
    (await server.client.upload(file.target.id)).files[0]?.interrupted === true
  await patch(server, file, 0, bytes.subarray(0, 5_000))
  expect(await isInterrupted()).toBe(true)
  const connection = await beginPart(server, file, 5_000, 5_000)
  await connection.send(bytes.subarray(5_000, 6_000))
  await until('the file is being sent', async () => !(await isInterrupted()))
  connection.cut()
  await until('the connection has ended', isInterrupted)
})
