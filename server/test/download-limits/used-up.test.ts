import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a file that is removed before its last download is not used up', async () => {
  const stored = await storeUpload(server, 'once of three', { maxDownloads: 3 })
  const { upload, file, uploadToken, path } = stored
  await sendRequest(server.url, path)
  await server.client.removeFile(upload.id, file, { uploadToken })
  const [removed] = (await server.client.upload(upload.id)).files
  expect(removed).toMatchObject({ status: 'removed', downloadsLeft: 0 })
  expect(removed).not.toHaveProperty('usedUp')
})
