import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { mountSkipReason } from '../../../scripts/tests/programs.ts'
import { json, svcd } from '../commands/command-line.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { connectDirectly } from '../support/databases/direct-connection.ts'
import { smallDisk, type SmallDisk } from '../support/machine/small-disk.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { mebibyte } from '../../src/domain/sizes.ts'
import { leaveFree } from './filler.ts'

describeUnless(mountSkipReason, 'admin commands on a full disk', () => {
  let disk: SmallDisk
  let server: TestServer
  beforeEach(async () => {
    disk = await smallDisk(16 * mebibyte)
    await writeFile(join(disk.path, 'svcd.toml'), '')
    server = await startTestServer({
      directory: disk.path,
      config: {
        metadataBackend: { driver: 'sqlite3', connectionString: join(disk.path, 'svc.db'), fsync: true },
      },
    })
  })
  afterEach(async () => {
    await server.close()
    await disk.remove()
  })

  /** Leaves no space in the log of the database that it could write again. */
  const fill = async () => {
    const rows = await connectDirectly(server.config.metadataBackend)
    await rows.query('pragma wal_checkpoint(truncate)')
    await rows.close()
    await leaveFree(disk.path, 0)
  }

  test.each([true, false])('read the database (a server is running: %s)', async (isRunning) => {
    const { id } = (await storeUpload(server, 'content')).upload
    if (isRunning) await fill()
    else {
      await server.close()
      await leaveFree(disk.path, 0)
    }
    // A command that needs space may leave an empty log.
    const created = await svcd(disk.path, ['user', 'create', 'ada', '--generate-password'])
    expect([created.status, created.stderr]).toEqual([1, expect.stringContaining('is full')])

    expect(await json(disk.path, ['upload', 'list', '--sort', 'size'])).toMatchObject([{ id }])
    expect(await json(disk.path, ['upload', 'show', id])).toMatchObject({ id })
    expect(await json(disk.path, ['user', 'list'])).toEqual([])
    expect(await json(disk.path, ['stats'])).toMatchObject({ uploads: 1 })
    const exported = await svcd(disk.path, ['export', '-'])
    expect([exported.status, exported.output]).toEqual([0, expect.stringContaining(id)])
    const checked = await svcd(disk.path, ['check'])
    expect(checked.output).toMatch(/^ok {4}database: .* its schema is up to date$/m)
    expect(checked.output).toMatch(/^fail {2}database: its disk is full: nothing can be changed/m)
  })
})
