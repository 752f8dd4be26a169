import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { archivePath, type File } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../../support/clients/send-request.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { whenUnlocked } from '../../support/databases/when-unlocked.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const get = (path: string, method = 'GET') => sendRequest(server.url, path, { method })

test.each(['all', 'all.tar', 'all.zip.txt', '.zip.', 'zip', ''])(
  'an archive named %j is rejected',
  async (name) => {
    const { upload } = await storeUpload(server)
    expect(errorIn(await get(`/archive/${upload.id}/${name}`))).toEqual({
      status: 400,
      code: 'invalid_archive_name',
    })
    expect((await get(`/archive/${upload.id}/${name}`, 'HEAD')).status).toBe(400)
  },
)

test('an upload without a stored file has no archive', async () => {
  const { id } = await server.client.createUpload({ files: [{ fileName: 'declared' }] })
  expect(errorIn(await get(archivePath(id, 'all.zip')))).toEqual({ status: 404, code: 'archive_empty' })
  const { upload, uploadToken, file } = await storeUpload(server)
  await server.client.removeFile(upload.id, file, { uploadToken })
  expect(errorIn(await get(archivePath(upload.id, 'all.zip')))).toEqual({
    status: 404,
    code: 'archive_empty',
  })
})

test('removed and missing files are omitted, and the archive gets another entity tag', async () => {
  const { upload, uploadToken, file } = await storeUpload(server, 'first-content', {
    files: [{ fileName: 'missing' }],
  })
  await server.client.addFile(upload.id, new Blob(['second-content']), { fileName: 'second', uploadToken })
  const path = archivePath(upload.id, 'all.zip')
  const both = await get(path)
  expect([both.text.includes('first-content'), both.text.includes('second-content')]).toEqual([true, true])
  expect(both.text).not.toContain('missing')
  await server.client.removeFile(upload.id, file, { uploadToken })
  const archive = await get(path)
  expect([archive.text.includes('first-content'), archive.text.includes('second-content')]).toEqual([
    false,
    true,
  ])
  expect(archive.headers.etag).not.toBe(both.headers.etag)
  expect(archive.headers['content-length']).toBe(String(archive.body.length))
})

test('an archive of many files has all that are stored, each under its own name', async () => {
  const count = 230
  const { id, uploadToken = '' } = await server.client.createUpload({})
  const stored: File[] = []
  for (let sent = 0; sent < count; sent++) {
    const content = new Blob([`content ${String(sent)}`])
    stored.push(await server.client.addFile(id, content, { fileName: 'same.txt', uploadToken }))
  }
  const path = archivePath(id, 'all.zip')
  const all = await get(path)
  for (let sent = 0; sent < count; sent++) expect(all.text).toContain(`content ${String(sent)}`)
  expect(all.text).toContain(`same (${String(count)}).txt`)
  expect((await get(path, 'HEAD')).headers).toMatchObject({
    etag: all.headers.etag,
    'content-length': String(all.body.length),
  })
  for (const file of stored.slice(5)) await server.client.removeFile(id, file, { uploadToken })
  const few = await get(path)
  expect(few.text).toContain('same (5).txt')
  expect(few.text).not.toContain('content 5')
})

test('a date does not distinguish an archive from its version before the removal of a file', async () => {
  const { upload, uploadToken, file } = await storeUpload(server, 'first-content')
  await server.client.addFile(upload.id, new Blob(['second-content']), { fileName: 'second', uploadToken })
  const path = archivePath(upload.id, 'all.zip')
  const date = (await get(path)).headers['last-modified'] ?? ''
  await server.client.removeFile(upload.id, file, { uploadToken })
  const whole = await get(path)
  const conditions = [
    { 'if-modified-since': date },
    { range: 'bytes=9-', 'if-range': date },
    { range: 'bytes=9-', 'if-unmodified-since': date },
  ]
  for (const headers of conditions) {
    const response = await sendRequest(server.url, path, { headers })
    expect([response.status, response.body.equals(whole.body)]).toEqual([200, true])
  }
})

test('an archive has the same bytes under any name', async () => {
  const { upload } = await storeUpload(server, 'content')
  const archive = await get(archivePath(upload.id, 'a.zip'))
  server.clock.advance(3_000)
  const other = await get(archivePath(upload.id, 'größe "b".zip'))
  expect(other.body.equals(archive.body)).toBe(true)
  expect(other.headers['content-disposition']).toContain("filename*=UTF-8''gr%C3%B6%C3%9Fe%20%22b%22.zip")
})

test('names that would leave the folder, collide or repeat are made safe', async () => {
  const names = ['a\\..\\..\\evil', 'C:\\evil', 'same', 'same', 'SAME', 'con', 'x:y']
  const { id, uploadToken = '' } = await server.client.createUpload()
  for (const fileName of names) {
    await server.client.addFile(id, new Blob([fileName]), { fileName, uploadToken })
  }
  const { body } = await get(archivePath(id, 'all.zip'))
  const entries = entryNames(body)
  expect(entries).toHaveLength(names.length)
  expect(new Set(entries.map((name) => name.toLowerCase())).size).toBe(names.length)
  for (const name of entries) expect(name).not.toMatch(/\\|^[A-Za-z]:|^\/|(^|\/)\.\.(\/|$)/)
})

/** Names in the central directory of a zip (APPNOTE 4.3.12). */
function entryNames(zip: Buffer): string[] {
  const names: string[] = []
  for (
    let at = zip.indexOf('PK\x01\x02', 'latin1');
    at !== -1;
    at = zip.indexOf('PK\x01\x02', at + 46, 'latin1')
  ) {
    names.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)))
  }
  return names
}

test('a failed extension of a one-shot upload leaves its files for the next download', async () => {
  const directory = await emptyDirectory()
  const fresh = await startTestServer({ directory, features: { feature_extend_ttl: 'enabled' } })
  const database = new DatabaseSync(join(directory, 'svc.db'))
  try {
    const { upload, path } = await storeUpload(fresh, 'content', {
      oneShot: true,
      extend_ttl: true,
      ttl: 3600,
    })
    await whenUnlocked(() => {
      database.exec(
        `create trigger broken before update of expireAt on uploads begin select raise(abort, 'broken'); end`,
      )
    })
    fresh.clock.advance(120_000)
    expect((await sendRequest(fresh.url, archivePath(upload.id, 'all.zip'))).status).toBe(500)
    await whenUnlocked(() => {
      database.exec('drop trigger broken')
    })
    expect(await sendRequest(fresh.url, path)).toMatchObject({ status: 200, text: 'content' })
  } finally {
    database.close()
    await fresh.close()
  }
})
