import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { missingPrograms, mountSkipReason } from '../../../scripts/tests/programs.ts'
import { readSamples } from '../metrics/samples.ts'
import { newDisk, type Disk } from '../power-cuts/disk-image.ts'
import { sendRequest, jsonIn, errorIn } from '../support/clients/send-request.ts'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import { fillerOn, leaveFree } from './filler.ts'

const full = { status: 507, code: 'database_full' }

describeUnless(mountSkipReason ?? missingPrograms('e2fsprogs'), 'a full disk under the database', () => {
  let disk: Disk
  let server: TestServer
  let listener: string
  beforeEach(async () => {
    disk = await newDisk()
    const port = await freePort()
    listener = `http://127.0.0.1:${String(port)}`
    const connectionString = join(disk.path, 'svc.db')
    server = await startTestServer({
      config: {
        metadataBackend: { driver: 'sqlite3', connectionString, fsync: true },
        metrics: { address: '127.0.0.1', port },
      },
      features: { feature_extend_ttl: 'enabled' },
    })
  })
  afterEach(async () => {
    await server.close()
    await disk.remove()
  })

  const fill = () => leaveFree(disk.path, 0)
  const ready = async () => (await sendRequest(server.url, '/ready')).text

  test('is reported, while downloads continue; the service recovers with space', async () => {
    const { path } = await storeUpload(server, 'content', { ttl: 60, extend_ttl: true })
    expect(await ready()).toBe('ok')
    await fill()
    // The log reuses space before it has to grow.
    const comments = 'x'.repeat(30_000)
    const create = () =>
      sendRequest(server.url, '/upload', {
        method: 'POST',
        body: JSON.stringify({ comments }),
        headers: { 'content-type': 'application/json' },
      })
    const rejected = await until('it is full', async () => {
      const response = await create()
      return response.status === 200 ? false : response
    })
    expect(errorIn(rejected)).toEqual(full)
    expect(jsonIn(rejected)).toMatchObject({
      message: expect.stringContaining('downloads still work') as string,
    })

    server.clock.advance(10_000)
    for (let round = 0; round < 3; round += 1)
      expect((await sendRequest(server.url, path)).text).toBe('content')
    for (const url of [server.url, listener])
      expect((await sendRequest(url, '/ready')).text).toMatch(/^ok\ndatabase_full: .+/)
    expect((await readSamples(listener)).sum('svcd_database_full')).toBe(1)
    expect((await readSamples(listener)).sum('svcd_database_errors_total', { kind: 'full' })).toBeGreaterThan(
      0,
    )

    await rm(fillerOn(disk.path))
    expect((await create()).status).toBe(200)
    await until('it is not reported any longer', async () => {
      server.clock.advance(30_000)
      return (await ready()) === 'ok'
    })
    expect((await readSamples(listener)).sum('svcd_database_full')).toBe(0)
  })
})
