import { getRandomValues } from 'node:crypto'
import { chmod, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultConfig } from '../../../src/config/load.ts'
import { openDataBackend } from '../../../src/data/open.ts'
import { expectWhole, offsetOf, patch, newFile } from '../../resumable/tus.ts'
import { sendRequest, errorIn } from '../../support/clients/send-request.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { fileStatuses, storedFiles } from '../../support/servers/server-data.ts'
import { randomBytes, storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

const unavailable = { status: 503, code: 'unavailable' }

let directory: string
let server: TestServer

beforeEach(async () => {
  directory = await temporaryDirectory()
  const clock = manualClock()
  // Its cleanup continues, as in a server, which creates the directory only at its start.
  const data = await openDataBackend(defaultConfig(directory).dataBackend, clock, getRandomValues)
  // As by default: the free space is checked before a file is accepted.
  server = await startTestServer({ directory, clock, data, config: { minFreeSpace: 1 } })
})
afterEach(async () => {
  await server.close()
})

const data = () => join(directory, 'files')
const moveAway = () => rename(data(), `${data()}.away`)
const comeBack = () => rename(`${data()}.away`, data())

/** The user of Debian that owns no files. */
const unprivilegedUser = 65_534

/** Does some work as a user to whom permissions apply, unlike root. */
async function withoutPrivileges(work: () => Promise<void>): Promise<void> {
  const user = process.geteuid?.()
  if (user !== 0) return work()
  process.seteuid?.(unprivilegedUser)
  try {
    await work()
  } finally {
    process.seteuid?.(user)
  }
}

test('while the data directory is missing no file counts as removed', async () => {
  const { path } = await storeUpload(server, 'content')
  await moveAway()
  expect(errorIn(await sendRequest(server.url, path))).toEqual(unavailable)
  await comeBack()
  expect((await sendRequest(server.url, path)).text).toBe('content')
})

test('a data directory of another user is unavailable, also for a server that has not seen it yet', async () => {
  const { path } = await storeUpload(server, 'content')
  const other = await startTestServer({ directory, clock: server.clock })
  await chmod(data(), 0)
  await withoutPrivileges(async () => {
    expect(errorIn(await sendRequest(other.url, path))).toEqual(unavailable)
  })
  await chmod(data(), 0o700)
  expect((await sendRequest(other.url, path)).text).toBe('content')
  await other.close()
})

test('a server that has not seen its data directory yet behaves the same', async () => {
  const { path } = await storeUpload(server, 'content')
  const other = await startTestServer({ directory, clock: server.clock })
  await moveAway()
  expect(errorIn(await sendRequest(other.url, path))).toEqual(unavailable)
  await comeBack()
  await other.close()
})

test('a start without the data directory creates none while the database has files, and recovers with it', async () => {
  const { path } = await storeUpload(server, 'content')
  await moveAway()
  const other = await startTestServer({ directory, clock: server.clock })
  expect(errorIn(await sendRequest(other.url, path))).toEqual(unavailable)
  expect((await sendRequest(other.url, '/ready')).status).toBe(503)
  expect(await readdir(directory)).not.toContain('files')
  await comeBack()
  other.clock.advance(1_000)
  expect((await sendRequest(other.url, '/ready')).text).toBe('ok')
  expect((await sendRequest(other.url, path)).text).toBe('content')
  await other.close()
})

test('a start creates a missing data directory when the database has no files any more', async () => {
  const { upload, uploadToken } = await storeUpload(server, 'content')
  await server.client.removeUpload(upload.id, { uploadToken })
  await server.clean()
  await rm(data(), { recursive: true })
  const other = await startTestServer({ directory, clock: server.clock })
  const { path } = await storeUpload(other, 'another')
  expect((await sendRequest(other.url, path)).text).toBe('another')
  await other.close()
})

test('while the data directory is missing files are rejected as unavailable, and none is created in its place', async () => {
  await moveAway()
  const { id, uploadToken = '' } = await server.client.createUpload()
  const sent = server.client.addFile(id, new Blob(['x']), { fileName: 'x', uploadToken })
  await expect(sent).rejects.toMatchObject(unavailable)
  expect((await sendRequest(server.url, '/x.txt', { method: 'PUT', body: 'x' })).status).toBe(503)
  expect(await readdir(directory)).not.toContain('files')
})

test('files that are removed while the data directory is missing are deleted when it is back', async () => {
  const { upload, uploadToken } = await storeUpload(server, 'content')
  await moveAway()
  await server.client.removeUpload(upload.id, { uploadToken })
  expect(await server.clean()).toMatchObject({ deletedFiles: 0, failedDeletions: 1 })
  await comeBack()
  expect(storedFiles(server)).toHaveLength(1)
  expect(await server.clean()).toMatchObject({ deletedFiles: 1, failedDeletions: 0 })
  expect(storedFiles(server)).toEqual([])
  expect(fileStatuses(server)).toEqual(['deleted'])
})

test('a resumable upload continues when the data directory is back', async () => {
  const bytes = randomBytes(100_000)
  const file = await newFile(server, { size: bytes.length })
  await patch(server, file, 0, bytes.subarray(0, 60_000))
  await moveAway()
  expect(errorIn(await patch(server, file, 60_000, bytes.subarray(60_000)))).toEqual(unavailable)
  await comeBack()
  expect(await offsetOf(server, file)).toBe(60_000)
  await patch(server, file, 60_000, bytes.subarray(60_000))
  await expectWhole(server, file, bytes)
})
