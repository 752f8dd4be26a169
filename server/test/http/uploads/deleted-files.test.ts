import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendRequest } from '../../support/clients/send-request.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let directory: string
let server: TestServer
beforeEach(async () => {
  directory = await emptyDirectory()
  server = await startTestServer({ directory })
})
afterEach(async () => {
  await server.close()
})

test('a removed file whose upload lives keeps its name and size, and no hash of its content', async () => {
  const { upload, file, uploadToken, path } = await storeUpload(server, 'canary content', { removable: true })
  expect(file.md5).toMatch(/^[0-9a-f]{32}$/)
  const headers = { 'x-uploadtoken': uploadToken }
  expect((await sendRequest(server.url, path, { method: 'DELETE', headers })).status).toBe(200)
  const readFiles = async () => (await server.client.upload(upload.id)).files
  const { id, fileName, fileSize } = file
  expect(await readFiles()).toMatchObject([{ id, fileName, fileSize, status: 'removed' }])
  await server.clean()
  expect(await readFiles()).toMatchObject([{ id, fileName, fileSize, status: 'deleted', md5: '', type: '' }])
  await server.close()
  expect((await readFile(join(directory, 'svc.db'), 'latin1')).includes(file.md5)).toBe(false)
  server = await startTestServer()
})
