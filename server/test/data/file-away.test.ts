import { getRandomValues } from 'node:crypto'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/load.ts'
import { openDataBackend } from '../../src/data/open.ts'
import { begin, expectWhole, offsetOf, openDoor, patch } from '../resumable/tus.ts'
import { ask, refusalIn } from '../support/ask.ts'
import { manualClock } from '../support/manual-clock.ts'
import { fileStatuses, storedFiles } from '../support/storage.ts'
import { randomBytes, storeUpload } from '../support/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const unavailable = { status: 503, code: 'unavailable' }

let directory: string
let server: TestServer

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svcd-away-'))
  const clock = manualClock()
  // Its cleaning goes on with it, as that of a server does, which makes the directory at its start only.
  const data = await openDataBackend(defaultConfig(directory).dataBackend, clock, getRandomValues)
  // As it is by default: before a file is taken, the disk is asked for room.
  server = await startTestServer({ directory, clock, data, config: { minFreeSpace: 1 } })
})
afterEach(async () => {
  await server.close()
  await rm(directory, { recursive: true })
})

const data = () => join(directory, 'files')
const goAway = () => rename(data(), `${data()}.away`)
const comeBack = () => rename(`${data()}.away`, data())

test('while the data directory is away nothing is taken for gone', async () => {
  const { path } = await storeUpload(server, 'content')
  await goAway()
  expect(refusalIn(await ask(server.url, path))).toEqual(unavailable)
  await comeBack()
  expect((await ask(server.url, path)).text).toBe('content')
})

test('a server that has not seen its data yet says the same', async () => {
  const { path } = await storeUpload(server, 'content')
  const other = await startTestServer({ directory, clock: server.clock })
  await goAway()
  expect(refusalIn(await ask(other.url, path))).toEqual(unavailable)
  await comeBack()
  await other.close()
})

test('while the data directory is away files are refused for now, and none is made in its place', async () => {
  await goAway()
  const { id, uploadToken = '' } = await server.client.createUpload()
  const sent = server.client.addFile(id, new Blob(['x']), { fileName: 'x', uploadToken })
  await expect(sent).rejects.toMatchObject(unavailable)
  expect((await ask(server.url, '/x.txt', { method: 'PUT', body: 'x' })).status).toBe(503)
  expect(await readdir(directory)).not.toContain('files')
})

test('what is removed while the data directory is away is deleted when it is back', async () => {
  const { upload, uploadToken } = await storeUpload(server, 'content')
  await goAway()
  await server.client.removeUpload(upload.id, { uploadToken })
  expect(await server.clean()).toMatchObject({ deletedFiles: 0, failures: 1 })
  await comeBack()
  expect(storedFiles(server)).toHaveLength(1)
  expect(await server.clean()).toMatchObject({ deletedFiles: 1, failures: 0 })
  expect(storedFiles(server)).toEqual([])
  expect(fileStatuses(server)).toEqual(['deleted'])
})

test('a file in pieces goes on when the data directory is back', async () => {
  const bytes = randomBytes(100_000)
  const file = await begin(server, await openDoor(server), { size: bytes.length })
  await patch(server, file, 0, bytes.subarray(0, 60_000))
  await goAway()
  expect(refusalIn(await patch(server, file, 60_000, bytes.subarray(60_000)))).toEqual(unavailable)
  await comeBack()
  expect(await offsetOf(server, file)).toBe(60_000)
  await patch(server, file, 60_000, bytes.subarray(60_000))
  await expectWhole(server, file, bytes)
})
