import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../server/test/support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const add = async (size: number, fileName: string, options: { readonly resumable?: false } = {}) => {
  const { id, uploadToken } = await server.client.createUpload()
  return server.client.addFile(id, new Blob([new Uint8Array(size)]), { fileName, uploadToken, ...options })
}

test.each([0, 10, 20_000_000])('a file of %i bytes keeps the folders of its name', async (size) => {
  expect(await add(size, 'dir/a.txt')).toMatchObject({
    fileName: 'dir/a.txt',
    fileSize: size,
    status: 'uploaded',
  })
})

test.each([10, 20_000_000])('the server refuses a name with dots for a file of %i bytes', async (size) => {
  await expect(add(size, '../x')).rejects.toMatchObject({ name: 'ApiError', status: 400 })
})

test('a file that cannot be sent in parts is not stored under another name', async () => {
  await expect(add(10, 'dir/a.txt', { resumable: false })).rejects.toThrow('keeps no folders')
})

test('a declared file in a folder may be sent in one request', async () => {
  const files = [{ fileName: 'dir/a.txt' }]
  const { id, uploadToken, files: declared } = await server.client.createUpload({ files })
  const options = { fileName: 'dir/a.txt', uploadToken, fileID: declared[0]?.id, resumable: false } as const
  expect(await server.client.addFile(id, new Blob(['a']), options)).toMatchObject({ fileName: 'dir/a.txt' })
})
