import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { newRequest, sendOne } from './caller.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a sender sees how many files and bytes are left', async () => {
  const { id, access } = await newRequest(server, { maxFiles: 3, maxSize: 20 })
  const readLimits = async () => {
    const { maxFiles, maxSize, filesLeft, sizeLeft } = await server.client.openUploadRequest(id)
    return [maxFiles, maxSize, filesLeft, sizeLeft]
  }
  expect(await readLimits()).toEqual([3, 20, 3, 20])
  await sendOne(server.client, id, '12345')
  await sendOne(server.client, id, '1234')
  expect(await readLimits()).toEqual([3, 20, 1, 11])
  await server.client.updateUploadRequest(id, { maxFiles: 1, maxSize: 5 }, access)
  expect(await readLimits()).toEqual([1, 5, 0, 0])
})
