import {
  archivePath,
  filePath,
  manifestName,
  maxFreeManifestBytes,
  servesManifest,
  type UploadOptions,
} from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorIn, sendRequest } from '../support/clients/send-request.ts'
import { ageFile, storeManifested, type ManifestedUpload } from '../support/clients/manifested-upload.ts'
import { lookUp, writeData } from '../support/servers/server-data.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

// The manifest of an encrypted upload is read without a download (docs/design/manifest.md).

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ features: { feature_extend_ttl: 'enabled' } })
})
afterAll(() => server.close())

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRequest(server.url, path, { headers, method })

const gone = { status: 404, code: 'file_not_found' }
const pathOf = ({ files }: ManifestedUpload, index = 0) => files[index]?.path ?? ''
const statusesOf = async ({ upload }: Pick<ManifestedUpload, 'upload'>) =>
  (await server.client.upload(upload.id)).files.map(({ status }) => status)
const countsOf = ({ upload }: ManifestedUpload) =>
  ['fileCount', 'size'].map(
    (column) => lookUp(server, `select ${column} from uploads where id = '${upload.id}'`)[0],
  )

/** Leaves the claim of a process that crashed while it sent the last bytes of the first file, which expires now. */
async function leaveSealedClaim({ upload, files }: ManifestedUpload): Promise<void> {
  const id = files[0]?.file.id ?? ''
  const until = server.clock.now()
  await writeData(server, (database) => {
    if (upload.oneShot) {
      database
        .prepare(`update files set claim = 'left', "claimUntil" = ?, sealed = 1 where id = ?`)
        .run(until, id)
      return
    }
    database
      .prepare(
        `insert into claims ("fileId", "id", "uploadId", "claimUntil", "sealed") values (?, 'left', ?, ?, 1)`,
      )
      .run(id, upload.id, until)
    database.prepare('update files set claimed = claimed + 1 where id = ?').run(id)
  })
}

const limits: [string, UploadOptions, number][] = [
  ['one-shot', { oneShot: true }, 1],
  ['limited', { maxDownloads: 2 }, 2],
]

describe.each(limits)('the manifest of a %s upload', (_kind, options, allowed) => {
  const store = (names = ['a', 'b'], more: UploadOptions = {}) =>
    storeManifested(server, names, { ...options, ...more })
  const useUp = async (path: string) => {
    for (let round = 0; round < allowed; round++) expect((await get(path)).status).toBe(200)
    expect(errorIn(await get(path))).toEqual(gone)
  }

  test('is read any number of times, and in parts', async () => {
    const stored = await store()
    const { path } = stored.manifest
    const whole = await get(path)
    expect([whole.status, whole.headers['accept-ranges']]).toEqual([200, 'bytes'])
    const { etag = '' } = whole.headers
    expect(etag).not.toBe('')
    const responses = [
      await get(path),
      await get(path, { range: 'bytes=2-4' }),
      await get(path, { range: 'bytes=999999-' }),
      await get(path, { 'if-none-match': etag }),
      await get(path, {}, 'HEAD'),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 206, 416, 304, 200])
    expect(responses[1]?.text).toBe(whole.text.slice(2, 5))
    expect(await statusesOf(stored)).toEqual(['uploaded', 'uploaded', 'uploaded'])
  })

  test('has no downloads left, and its upload says that clients may rely on it', async () => {
    const { upload } = await store()
    const now = await server.client.upload(upload.id)
    expect(now.files.map(({ downloadsLeft }) => downloadsLeft)).toEqual([allowed, allowed, undefined])
    expect([servesManifest(upload), servesManifest(now)]).toEqual([true, true])
    const { files } = await server.client.createUpload({ ...options, files: [{ fileName: manifestName }] })
    expect(files[0]?.downloadsLeft).toBe(allowed)
  })

  test('is removed with the last other file', async () => {
    const stored = await store()
    await useUp(pathOf(stored, 0))
    expect(await statusesOf(stored)).toEqual(['removed', 'uploaded', 'uploaded'])
    await useUp(pathOf(stored, 1))
    expect(await statusesOf(stored)).toEqual(['removed', 'removed', 'removed'])
    expect(errorIn(await get(stored.manifest.path))).toEqual(gone)
    expect(countsOf(stored)).toEqual([0, 0])
    await server.clean()
    expect(await statusesOf(stored)).toEqual(['deleted', 'deleted', 'deleted'])
  })

  test('is removed when the sender deletes the last other file', async () => {
    const stored = await store()
    await useUp(pathOf(stored, 0))
    const { upload, uploadToken, files } = stored
    if (files[1]) await server.client.removeFile(upload.id, files[1].file, { uploadToken })
    expect(await statusesOf(stored)).toEqual(['removed', 'removed', 'removed'])
    expect(countsOf(stored)).toEqual([0, 0])
  })

  test('stays while another file may still arrive', async () => {
    const stored = await store(['a'])
    const { id } = stored.upload
    const { uploadToken } = stored
    const more = { fileName: 'late', uploadToken }
    const late = await server.client.addFile(id, ageFile('late'), more)
    await useUp(pathOf(stored))
    expect((await get(stored.manifest.path)).status).toBe(200)
    await useUp(filePath(id, late.id, 'late'))
    expect(errorIn(await get(stored.manifest.path))).toEqual(gone)
  })

  test('that arrives after its upload was used up is removed at once', async () => {
    const declared = [{ fileName: 'a' }, { fileName: manifestName }]
    const upload = await server.client.createUpload({ e2ee: 'age', ...options, files: declared })
    const { id, uploadToken = '', files } = upload
    const send = (fileName: string) => {
      const fileID = files.find((file) => file.fileName === fileName)?.id
      return server.client.addFile(id, ageFile(), { fileName, fileID, uploadToken })
    }
    const file = await send('a')
    await useUp(filePath(id, file.id, 'a'))
    expect(await statusesOf({ upload })).toEqual(['removed', 'missing'])
    await send(manifestName)
    expect(await statusesOf({ upload })).toEqual(['removed', 'removed'])
    expect(lookUp(server, `select size from uploads where id = '${id}'`)).toEqual([0])
  })

  test('that arrives first stays', async () => {
    const { id, uploadToken = '' } = await server.client.createUpload({ e2ee: 'age', ...options })
    const manifest = await server.client.addFile(id, ageFile(), { fileName: manifestName, uploadToken })
    expect((await get(filePath(id, manifest.id, manifestName))).status).toBe(200)
  })

  test('is in the archive, and does not count there', async () => {
    const stored = await store()
    const { id } = stored.upload
    for (let round = 0; round < allowed; round++) {
      const { status, text } = await get(archivePath(id, 'all.zip'))
      expect([status, text.includes(manifestName)]).toEqual([200, true])
    }
    expect(await statusesOf(stored)).toEqual(['removed', 'removed', 'removed'])
    expect(errorIn(await get(archivePath(id, 'all.zip'))).status).toBe(404)
  })

  test('is not a download in the activity, and extends no lifetime', async () => {
    const stored = await store(['a'], { extend_ttl: true, ttl: 1_000 })
    server.clock.advance(500_000)
    await get(stored.manifest.path)
    const { id } = stored.upload
    expect((await server.client.upload(id)).expireAt).toBe(stored.upload.expireAt)
    await useUp(pathOf(stored))
    const { results } = await server.client.downloads(id, {}, { uploadToken: stored.uploadToken })
    const [file] = stored.files
    expect(results.map(({ fileID }) => fileID)).toEqual(Array.from({ length: allowed }, () => file?.file.id))
  })

  test('is refused to bots and prefetches, as its upload is, and stays', async () => {
    const stored = await store(['a'])
    for (const headers of [{ 'user-agent': 'Twitterbot/1.0' }, { 'sec-purpose': 'prefetch' }])
      expect((await get(stored.manifest.path, headers)).status).toBe(406)
    expect((await get(stored.manifest.path)).status).toBe(200)
    expect(await statusesOf(stored)).toEqual(['uploaded', 'uploaded'])
  })

  test('is removed when the claim of a server that died ends the last other file', async () => {
    const stored = await store(['a'])
    for (let round = 1; round < allowed; round++) await get(pathOf(stored))
    await leaveSealedClaim(stored)
    await server.clean()
    expect((await statusesOf(stored)).filter((status) => status === 'uploaded')).toEqual([])
    expect(countsOf(stored)).toEqual([0, 0])
  })

  test.each([0, 1])('counts as any other file from its maximum size + %i bytes', async (more) => {
    const { id, uploadToken = '' } = await server.client.createUpload({ e2ee: 'age', ...options })
    await server.client.addFile(id, ageFile(), { fileName: 'a', uploadToken })
    const filler = new Uint8Array(maxFreeManifestBytes - ageFile().size + more)
    const large = await server.client.addFile(id, ageFile(filler), { fileName: manifestName, uploadToken })
    const path = filePath(id, large.id, manifestName)
    const isFree = more === 0
    expect((await get(path, {}, 'HEAD')).headers['accept-ranges']).toBe(isFree ? 'bytes' : 'none')
    for (let round = 0; round < allowed; round++) expect((await get(path)).status).toBe(200)
    expect((await get(path)).status).toBe(isFree ? 200 : 404)
  })
})

test('a file of this name in a plain upload counts', async () => {
  const { id, uploadToken = '' } = await server.client.createUpload({ oneShot: true })
  const file = await server.client.addFile(id, ageFile(), { fileName: manifestName, uploadToken })
  const path = filePath(id, file.id, manifestName)
  expect([(await get(path)).status, (await get(path)).status]).toEqual([200, 404])
})
