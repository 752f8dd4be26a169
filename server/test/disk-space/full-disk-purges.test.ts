import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { missingPrograms, mountSkipReason } from '../../../scripts/tests/programs.ts'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { newDisk, type Disk } from '../power-cuts/disk-image.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { connectDirectly, type DirectConnection } from '../support/databases/direct-connection.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { fillWithUploads } from '../support/databases/many-uploads.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import { fillerOn, leaveFree } from './filler.ts'

const many = 3_000
const day = 86_400_000

/** Unused bytes of the database. */
const freed = 20_000_000

/** Bytes that are free in addition each time: less than what some batches write to the log of the database. */
const little = 128 * 1024

describeUnless(mountSkipReason ?? missingPrograms('e2fsprogs'), 'a full disk', () => {
  let disk: Disk
  let server: TestServer
  let database: MetadataBackendConfig
  let rows: DirectConnection
  beforeEach(async () => {
    disk = await newDisk()
    database = { driver: 'sqlite3', connectionString: join(disk.path, 'svc.db'), fsync: true }
    server = await startTestServer({ config: { metadataBackend: database, retention: 2 * 86_400 } })
    rows = await connectDirectly(database)
  })
  afterEach(async () => {
    await rows.close()
    await server.close()
    // An open handle keeps the disk busy, also that of a failed cleanup.
    await disk.remove()
  })

  const leave = (free: number) => leaveFree(disk.path, free)
  const count = async (table: string) => (await rows.query(`select 1 from ${table}`)).length
  const pages = async () => Number((await rows.query('pragma page_count'))[0]?.['page_count'])
  /** Fills the disk, and leaves no space in the log of the database that it could write again. */
  const fill = async () => {
    await rows.query('pragma wal_checkpoint(truncate)')
    await leave(0)
  }
  const cleaned = () =>
    server.clean().then(
      () => true,
      () => false,
    )

  /** Cleans again and again, each time with a little more space. */
  const cleanWithMoreRoom = () => {
    let room = 0
    return async () => {
      await leave((room += little))
      return cleaned()
    }
  }

  test('in the middle of a purge: downloads continue, and the purge ends once there is space', async () => {
    const upload = { expireAt: server.clock.now() + day }
    await fillWithUploads({ database, count: many, upload })
    const { path } = await storeUpload(server, 'content')
    // Their bytes are deleted and their data is blanked.
    server.clock.advance(2 * day)
    await server.clean()
    // First, as the server cleans by itself as soon as the time has come.
    await fill()
    server.clock.advance(3 * day)

    const next = cleanWithMoreRoom()
    await until('some are purged', async () => {
      expect(await next()).toBe(false)
      return (await count('uploads')) <= many
    })
    expect(await count('uploads')).toBeGreaterThan(1)
    await leave(0)
    let kept = 1
    await until('an upload finds no space, and the server is ready for others', async () => {
      const { status, text } = await sendRequest(server.url, '/a.txt', { method: 'PUT', body: 'x' })
      if (status === 200) kept += 1
      else expect([status, text]).toEqual([507, expect.stringContaining('downloads still work')])
      return /^ok\ndatabase_full: .+/.test((await sendRequest(server.url, '/ready')).text)
    })

    do {
      expect((await sendRequest(server.url, path)).text).toBe('content')
    } while (!(await next()))
    await rm(fillerOn(disk.path))
    await until('nothing is left of the refused upload', async () => {
      server.clock.advance(server.config.cleaningInterval * 1000)
      return (await count(`files where "status" in ('uploading', 'removed')`)) === 0
    })
    expect(await count(`files where "status" = 'uploaded'`)).toBe(kept)
    expect(await count('uploads')).toBeLessThan(many)
    expect((await sendRequest(server.url, '/a.txt', { method: 'PUT', body: 'x' })).status).toBe(200)
    await expectCorrectCounters(rows, server)
  })

  test('while space is returned to the disk: downloads continue, and the purge ends once there is space', async () => {
    const { path } = await storeUpload(server, 'content')
    // What stays is behind what goes, and has to move.
    for (const table of ['gone', 'kept']) {
      await rows.query(`create table ${table} ("bytes" blob)`)
      await rows.query(`insert into ${table} values (zeroblob(${String(freed)}))`)
    }
    await rows.query('drop table gone')
    const before = await pages()
    await fill()

    const next = cleanWithMoreRoom()
    await until('some space is given back', async () => {
      expect(await next()).toBe(false)
      return (await pages()) < before
    })
    do {
      expect((await sendRequest(server.url, path)).text).toBe('content')
    } while (!(await next()))
    expect((await pages()) * 4096).toBeLessThan(1.5 * freed)
    expect((await sendRequest(server.url, '/a.txt', { method: 'PUT', body: 'x' })).status).toBe(200)
    await expectCorrectCounters(rows, server)
  })
})
