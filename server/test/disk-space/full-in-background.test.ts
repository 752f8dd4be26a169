import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { mountSkipReason } from '../../../scripts/tests/programs.ts'
import { readSamples } from '../metrics/samples.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { connectDirectly } from '../support/databases/direct-connection.ts'
import { smallDisk, type SmallDisk } from '../support/machine/small-disk.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { mebibyte } from '../../src/domain/sizes.ts'
import { until } from '../support/until.ts'
import { leaveFree } from './filler.ts'

describeUnless(mountSkipReason, 'a database that is full', () => {
  let disk: SmallDisk
  let server: TestServer
  let listener: string
  beforeEach(async () => {
    disk = await smallDisk(16 * mebibyte)
    const port = await freePort()
    listener = `http://127.0.0.1:${String(port)}`
    server = await startTestServer({
      config: {
        metadataBackend: { driver: 'sqlite3', connectionString: join(disk.path, 'svc.db'), fsync: true },
        metrics: { address: '127.0.0.1', port },
      },
    })
  })
  afterEach(async () => {
    await server.close()
    await disk.remove()
  })

  test('is reported even when no request changes anything', async () => {
    const { path } = await storeUpload(server, 'content')
    // Otherwise the log would use its space again.
    const rows = await connectDirectly(server.config.metadataBackend)
    await rows.query('pragma wal_checkpoint(truncate)')
    await rows.close()
    await leaveFree(disk.path, 0)
    expect((await sendRequest(server.url, path)).text).toBe('content')

    // The download is recorded in the background, and no heartbeat is due yet.
    server.clock.advance(5_000)
    await until(
      'the metric says so',
      async () => (await readSamples(listener)).sum('svcd_database_full') === 1,
    )
    server.clock.advance(1_000)
    expect((await sendRequest(server.url, '/ready')).text).toMatch(/^ok\ndatabase_full: .+/)
  })
})
