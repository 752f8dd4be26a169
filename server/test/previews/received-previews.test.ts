import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, newRequest } from '../requests/caller.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { webp } from './images.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** A file that a request has received, with the accesses to it. */
async function receivedFile() {
  const { id, access } = await newRequest(server)
  const upload = await server.client.sendToUploadRequest(id)
  const sender = { uploadToken: upload.uploadToken ?? '' }
  const file = await server.client.addFile(upload.id, new Blob([new Uint8Array(40_000)]), {
    fileName: 'a.png',
    ...sender,
  })
  return { id, upload, file, sender, owner: access }
}
const sizeOf = async (response: Promise<Response>) => (await (await response).arrayBuffer()).byteLength

test('a sender adds the preview of a file, which the owner of the request and the sender see, and no others', async () => {
  const { id, upload, file, sender, owner } = await receivedFile()
  const { client } = server
  await client.addPreview(upload.id, file, webp(), sender)
  const { results } = await client.receivedUploads(id, {}, owner)
  expect(results).toMatchObject([{ files: [{ preview: true }] }])
  for (const access of [owner, sender]) expect(await sizeOf(client.preview(upload, file, access))).toBe(60)
  const stranger = await receivedFile()
  for (const access of [{}, stranger.sender, stranger.owner])
    expect(await codeOf(client.preview(upload, file, access))).toBe('not_allowed')
})

test('only the sender of a received file adds its preview, also once the request is closed', async () => {
  const { id, upload, file, sender, owner } = await receivedFile()
  const { client } = server
  const stranger = await receivedFile()
  for (const access of [{}, owner, stranger.sender])
    expect(await codeOf(client.addPreview(upload.id, file, webp(), access))).toBe('not_allowed')
  await client.updateUploadRequest(id, { closed: true }, owner)
  await client.addPreview(upload.id, file, webp(), sender)
  expect(await codeOf(client.addPreview(upload.id, file, webp(), sender))).toBe('preview_exists')
})
