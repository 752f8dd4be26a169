import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withService } from '../../src/composition/server.ts'
import { verify, type Verification } from '../../src/core/verify/verify.ts'
import { StoreUnavailableError, type DataBackend } from '../../src/data/backend/backend.ts'
import { fileBackend } from '../../src/data/file/file.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

let server: TestServer
let damaged: StoredUpload
let lost: StoredUpload
let data: DataBackend
let directory: string
beforeEach(async () => {
  server = await startTestServer()
  directory = join(server.directory, 'files')
  data = fileBackend({ directory, fsync: false }, manualClock())
  damaged = await storeUpload(server)
  do {
    lost = await storeUpload(server)
  } while (lost.file.id.slice(0, 2) === damaged.file.id.slice(0, 2))
  await data.remove(lost.file.id)
})
afterEach(() => server.close())

const repair = { olderThan: 1_000, force: true }
const run = (verification: Partial<Verification>, backend = data) =>
  withService(server.config, (parts) => verify(parts, { hashes: false, limit: 10, ...verification }), {
    data: backend,
    clock: manualClock(Date.UTC(2100, 0, 1)),
  })

test('a directory that cannot be read is reported with its files, which no repair removes', async () => {
  const shard = join(directory, damaged.file.id.slice(0, 2))
  await rename(shard, `${shard}.aside`)
  await writeFile(shard, 'not a directory')
  const report = await run({ repair })
  const found = new Map(report.findings.map((finding) => [finding.kind, finding]))
  expect(found.get('unreadable')).toMatchObject({
    file: damaged.file.id,
    action: 'skipped',
    storedSize: null,
  })
  expect(found.get('lost')).toMatchObject({ file: lost.file.id, action: 'removed' })
  expect(report.left).toMatchObject({ lost: 0, unreadable: 1 })
  await rename(shard, `${shard}.file`)
  await rename(`${shard}.aside`, shard)
  expect((await sendRequest(server.url, damaged.path)).status).toBe(200)
  expect((await run({})).findings).toEqual([])
})

test('a file whose bytes cannot be read is reported, and the others are compared', async () => {
  const sound = await storeUpload(server)
  const get: DataBackend['get'] = (key, range) =>
    key === damaged.file.id ? Promise.reject(new StoreUnavailableError('damaged')) : data.get(key, range)
  const report = await run({ hashes: true, repair }, { ...data, get })
  expect(report).toMatchObject({ files: 3, hashed: 1, left: { unreadable: 1, wrong_hash: 0 } })
  for (const { path } of [sound, damaged]) expect((await sendRequest(server.url, path)).status).toBe(200)
})

test('a store that is unavailable ends the verification', async () => {
  await rename(directory, `${directory}.away`)
  await expect(run({ hashes: true, repair })).rejects.toThrow(StoreUnavailableError)
  await rename(`${directory}.away`, directory)
  expect((await sendRequest(server.url, damaged.path)).status).toBe(200)
})
