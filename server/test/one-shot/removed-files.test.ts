import { archivePath } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryBackend } from '../../src/data/memory/memory.ts'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

/** Called when a file has been claimed, before its first byte is sent. */
let onOpen: () => Promise<unknown>
let server: TestServer

beforeAll(async () => {
  const { open, ...memory } = memoryBackend()
  if (open === undefined) throw new Error('the memory has readers')
  const opening = async (key: string) => {
    await onOpen()
    return open(key)
  }
  server = await startTestServer({ data: { ...memory, open: opening } })
})
afterAll(() => server.close())

/** A one-shot upload that is removed as soon as its download has begun. */
async function removedDuringDownload(size: number) {
  const stored = await storeUpload(server, randomBytes(size), { oneShot: true })
  const { upload, uploadToken } = stored
  onOpen = () => server.client.removeUpload(upload.id, { uploadToken })
  return stored
}

const notFound = { status: 404, code: 'file_not_found' }

test.each([0, 1, 1_000])(
  'a one-shot file of %i bytes that is removed before its first byte is sent is not found',
  async (size) => {
    const { path } = await removedDuringDownload(size)
    expect(errorIn(await sendRequest(server.url, path))).toEqual(notFound)
  },
)

test('an archive of it is cut', async () => {
  const { upload } = await removedDuringDownload(1_000)
  await expect(sendRequest(server.url, archivePath(upload.id, 'all.zip'))).rejects.toThrow()
})

test('a one-shot file that is removed after its first bytes is cut, so that it does not look complete', async () => {
  const { path } = await removedDuringDownload(1_000_000)
  await expect(sendRequest(server.url, path)).rejects.toThrow()
})
