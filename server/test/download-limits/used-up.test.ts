import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test.each([
  ['a download limit', { maxDownloads: 3 }, 2],
  ['one download', { oneShot: true }, 0],
])(
  'a file with %s that is removed before its last download is not used up',
  async (_limit, options, downloads) => {
    const { upload, file, uploadToken, path } = await storeUpload(server, 'removed before', options)
    for (let download = 0; download < downloads; download += 1) await sendRequest(server.url, path)
    await server.client.removeFile(upload.id, file, { uploadToken })
    const [removed] = (await server.client.upload(upload.id)).files
    expect(removed).toMatchObject({ status: 'removed', downloadsLeft: 0 })
    expect(removed).not.toHaveProperty('usedUp')
  },
)

test('a file with one download is used up after it, even when its bytes are deleted', async () => {
  const { upload, path } = await storeUpload(server, 'once', { oneShot: true })
  await sendRequest(server.url, path)
  const file = async () => (await server.client.upload(upload.id)).files[0]
  expect(await file()).toMatchObject({ status: 'removed', downloadsLeft: 0, usedUp: true })
  await server.clean()
  expect(await file()).toMatchObject({ status: 'deleted', downloadsLeft: 0, usedUp: true })
})
