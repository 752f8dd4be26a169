import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const create = () => sendRequest(server.url, '/upload', { method: 'POST' })

test('while another process writes for long, such as an import, each writer gets an error in time', async () => {
  const { path } = await storeUpload(server, 'stored')
  const other = new DatabaseSync(join(server.directory, 'svc.db'))
  other.exec('begin immediate')
  const refused = await create()
  expect(errorIn(refused)).toEqual({ status: 503, code: 'unavailable' })
  expect(refused.headers['retry-after']).toBe('5')
  // If each of them waited as long as the first one did, the test would not end in time.
  for (let n = 0; n < 20; n += 1) expect((await create()).status).toBe(503)
  expect((await sendRequest(server.url, path)).text).toBe('stored')
  other.exec('rollback')
  other.close()
  expect((await create()).status).toBe(200)
})
