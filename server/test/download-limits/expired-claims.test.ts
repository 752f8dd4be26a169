import { afterEach, beforeEach, expect, test } from 'vitest'
import { errorIn, sendRequest } from '../support/clients/send-request.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { randomBytes, storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { lookUp, writeData } from '../support/servers/server-data.ts'
import { emptyDirectory, startSvcd } from '../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

const hour = 3_600_000

let server: TestServer
let stored: StoredUpload
beforeEach(async () => {
  server = await startTestServer()
  stored = await storeUpload(server, 'content', { maxDownloads: 2 })
})
afterEach(() => server.close())

/** Leaves the claim of a process that crashed, which expires now. */
async function leaveClaim(sealed: 0 | 1): Promise<void> {
  const { id: fileId, uploadId } = { id: stored.file.id, uploadId: stored.upload.id }
  await writeData(server, (database) => {
    database
      .prepare(
        'insert into claims ("fileId", "id", "uploadId", "claimUntil", "sealed") values (?, ?, ?, ?, ?)',
      )
      .run(fileId, 'left', uploadId, server.clock.now(), sealed)
    database.prepare('update files set claimed = claimed + 1 where id = ?').run(fileId)
  })
}

const readDownloadsLeft = async () => (await server.client.upload(stored.upload.id)).files[0]?.downloadsLeft
const claims = () => lookUp(server, 'select count(*) from claims')[0]
const download = async () => (await sendRequest(server.url, stored.path)).status

test('a sealed claim that expires counts with the next cleanup', async () => {
  await leaveClaim(1)
  await server.clean()
  expect([await readDownloadsLeft(), claims()]).toEqual([1, 0])
  expect([await download(), await download()]).toEqual([200, 404])
})

test('a sealed claim of the last download removes the file', async () => {
  expect(await download()).toBe(200)
  await leaveClaim(1)
  expect(errorIn(await sendRequest(server.url, stored.path)).code).toBe('download_in_progress')
  await server.clean()
  expect(errorIn(await sendRequest(server.url, stored.path)).code).toBe('file_not_found')
  expect(lookUp(server, 'select fileCount from uploads')).toEqual([0])
})

test('a claim without a seal is replaced by a download that needs it', async () => {
  await leaveClaim(0)
  expect([await download(), await readDownloadsLeft(), claims()]).toEqual([200, 1, 1])
  expect(await download()).toBe(200)
  expect(await download()).toBe(404)
})

test('a claim without a seal that no download needs is deleted an hour later, and does not count', async () => {
  await leaveClaim(0)
  await server.clean()
  expect(claims()).toBe(1)
  server.clock.advance(hour)
  await server.clean()
  expect([await readDownloadsLeft(), claims()]).toEqual([2, 0])
  expect([await download(), await download(), await download()]).toEqual([200, 200, 404])
})

test('claims of a purged upload are deleted', async () => {
  await leaveClaim(1)
  await server.client.removeUpload(stored.upload.id, { uploadToken: stored.uploadToken })
  await writeData(server, (database) => {
    database.exec('delete from files; delete from uploads')
  })
  await server.clean()
  expect(claims()).toBe(0)
})

test('killed in the middle of a download: its claim expires, and the download is available again', async () => {
  const directory = await emptyDirectory()
  const killed = await startSvcd(directory)
  const bytes = Buffer.from(randomBytes(30_000_000))
  const { path } = await storeUpload(killed, bytes, { maxDownloads: 2 })
  expect((await sendRequest(killed.url, path)).status).toBe(200)
  const connection = await rawConnection(killed.url)
  await connection.send(requestHead('GET', path))
  await connection.take(1_000)
  killed.kill('SIGKILL')
  await killed.ended
  connection.cut()
  const next = await startTestServer({ directory, clock: manualClock(Date.now()) })
  try {
    expect(errorIn(await sendRequest(next.url, path)).code).toBe('download_in_progress')
    next.clock.advance(120_000)
    const { status, body } = await sendRequest(next.url, path)
    expect([status, body.equals(bytes)]).toEqual([200, true])
    expect(errorIn(await sendRequest(next.url, path)).code).toBe('file_not_found')
  } finally {
    await next.close()
  }
})
