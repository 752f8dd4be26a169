import { randomInt } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { missingPrograms, mountSkipReason } from '../../../scripts/tests/programs.ts'
import { accountsConfig, root } from '../support/clients/accounts.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { lookUp, storedFiles } from '../support/servers/server-data.ts'
import { startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { newDisk, type Disk } from './disk-image.ts'
import { startLoad, type Load } from './load.ts'
import { Acknowledged } from './acknowledged.ts'

/** The number of power cuts; the full test takes 200. */
const cuts = Number(env['SVC_POWER_CUTS'] ?? 20)

/** After this number of responses a new server begins, so that a cut covers at most a second of work. */
const cutsOfAServer = 10

/** Two minutes without a heartbeat later, when the process that was cut off counts as dead. */
const later = () => Date.now() + 200_000

describeUnless(mountSkipReason ?? missingPrograms('e2fsprogs'), 'a power cut', () => {
  let disk: Disk
  let server: Svcd
  let load: Load
  let acknowledged: Acknowledged

  const start = async () => {
    disk = await newDisk()
    const directory = join(disk.path, 'svc')
    await mkdir(directory)
    server = await startSvcd(directory, {
      FSYNC_UPLOADS: 'true',
      FEATURE_AUTHENTICATION: 'enabled',
      DEFAULT_ADMIN_LOGIN: root.login,
      DEFAULT_ADMIN_PASSWORD: root.password,
      METADATA_BACKEND_CONFIG: '{"ConnectionString":"svc.db"}',
    })
    acknowledged = new Acknowledged()
    load = await startLoad(server, acknowledged, 6)
  }
  const end = async () => {
    await load.stop()
    server.kill('SIGKILL')
    await server.ended
    await disk.remove()
  }
  beforeAll(start)
  afterAll(end)

  /** Runs the load for some iterations of the event loop, and stops the server at any point. */
  const cut = async () => {
    while (acknowledged.isEmpty) await new Promise(setImmediate)
    for (let iterations = randomInt(30, 3_000); iterations > 0; iterations -= 1)
      await new Promise(setImmediate)
    server.kill('SIGSTOP')
    // Responses that were sent before are read before the check.
    for (let iterations = 20; iterations > 0; iterations -= 1) await new Promise(setImmediate)
    const responsesBefore = acknowledged.copy()
    const left = await disk.cutPower()
    server.kill('SIGCONT')
    return { responsesBefore, left }
  }

  const restart = (left: Disk) =>
    startTestServer({
      directory: join(left.path, 'svc'),
      clock: manualClock(later()),
      features: { feature_authentication: 'enabled' },
      config: { accounts: accountsConfig },
    })

  /** After two cleanups, each file in the store belongs to a row that has one. */
  const orphans = async (after: TestServer) => {
    for (let cleanup = 0; cleanup < 2; cleanup += 1) {
      after.clock.advance(200_000)
      await after.clean()
    }
    const living = new Set(lookUp(after, "select id from files where status in ('uploaded', 'uploading')"))
    return storedFiles(after).filter((name) => !living.has(name.replace(/\.part$/, '')))
  }

  test.each(Array.from({ length: cuts }, (_, index) => index + 1))(
    'number %i loses nothing acknowledged, and restores nothing removed',
    async (number) => {
      if (number % cutsOfAServer === 0) {
        await end()
        await start()
      }
      const { responsesBefore, left } = await cut()
      await load.pause()
      const after = await restart(left)
      try {
        expect(await responsesBefore.broken(after)).toEqual([])
        expect(await orphans(after)).toEqual([])
      } finally {
        await after.close()
        await left.remove()
        load.resume()
      }
    },
  )
})
