import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

test('a file is uploaded, shown, downloaded whole and in part, archived and removed', async () => {
  const { client } = server
  const bytes = crypto.getRandomValues(new Uint8Array(60_000))
  const upload = await client.createUpload({ comments: 'for you' })
  const { uploadToken } = upload
  const file = await client.addFile(upload.id, new Blob([bytes]), { fileName: 'größe 1.bin', uploadToken })
  expect(file).toEqual({
    id: file.id,
    fileName: 'größe 1.bin',
    fileSize: bytes.length,
    md5: md5(bytes),
    type: 'application/octet-stream',
    status: 'uploaded',
  })

  const shown = await client.upload(upload.id)
  expect(shown).toEqual({ ...upload, uploadToken: undefined, admin: false, files: [file] })

  const whole = await client.download(shown, file)
  expect(whole.status).toBe(200)
  expect(whole.headers.get('etag')).toBe(`"${md5(bytes)}"`)
  expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes)

  const part = await client.download(shown, file, { range: { start: 10, end: 19 } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 10-19/60000'])
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20))

  const archive = await client.downloadArchive(shown)
  const zipped = new Uint8Array(await archive.arrayBuffer())
  expect(archive.headers.get('content-length')).toBe(String(zipped.length))
  expect(Buffer.from(zipped).includes(bytes)).toBe(true)

  await client.removeFile(upload.id, file, { uploadToken })
  await expect(client.download(shown, file)).rejects.toMatchObject({ status: 404, code: 'file_not_found' })
  await client.removeUpload(upload.id, { uploadToken })
  await expect(client.upload(upload.id)).rejects.toMatchObject({ status: 404, code: 'upload_not_found' })
})
