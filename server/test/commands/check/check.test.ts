import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { MetadataBackendConfig } from '../../../src/config/config.ts'
import { systemClock } from '../../../src/platform/system-clock.ts'
import {
  describeOn,
  networkKinds,
  newDatabase,
  startOwnServer,
} from '../../support/databases/network-databases.ts'
import { connectDirectly } from '../../support/databases/direct-connection.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { check, directory, environmentOf, everything, startHere, newDirectory } from './run-check.ts'
import { svcd } from '../command-line.ts'

beforeEach(newDirectory)

describe('svcd check', () => {
  test('in an empty directory, reports no errors and what the start will create, and creates nothing', async () => {
    const before = everything()
    const { status, about } = await check()
    expect(status).toBe(0)
    expect(about('database')).toEqual([expect.stringMatching(/^ok .*svc\.db is created at the first start$/)])
    expect(about('data store')).toEqual([expect.stringMatching(/^ok .*files is created at the first start$/)])
    expect(everything()).toEqual(before)
  })

  test("during and after a server's run, tries everything and leaves nothing", async () => {
    const server = await startHere()
    await storeUpload(server)
    const running = everything()
    const during = await check()
    expect([during.status, during.about('data store')]).toEqual([
      0,
      ['ok bytes can be written, read and deleted'],
    ])
    expect(during.about('database')).toEqual([
      expect.stringMatching(/^ok SQLite .* is reachable, its schema is up to date$/),
    ])
    expect(everything()).toEqual(running)
    await server.close()
    const stopped = everything()
    expect((await check()).status).toBe(0)
    expect(everything()).toEqual(stopped)
  })

  test('prints one finding per line, and the number of errors and warnings', async () => {
    const { status, output } = await svcd(directory, ['check'], {
      environment: environmentOf({ SVC_DOMAIN: 'https://nowhere.invalid', LISTEN_PORT: '0' }),
    })
    const lines = output.trimEnd().split('\n')
    const warnings = lines.filter((line) => line.startsWith('warn')).length
    expect([status, lines.at(-1)]).toEqual([
      1,
      `1 error, ${String(warnings)} warning${warnings === 1 ? '' : 's'}`,
    ])
    expect(lines.slice(0, -1).filter((line) => !/^(?:ok {2}|warn|fail) {2}[\w ]+: \S/.test(line))).toEqual([])
    expect(output).toContain('fail  SvcDomain: the name nowhere.invalid cannot be resolved')
  })

  test('lists every problem of a configuration that cannot be read, with 1', async () => {
    const { status, about } = await check({ LISTEN_PORT: 'eighty', MAX_FILE_SIZE_STR: 'huge' })
    expect(status).toBe(1)
    for (const key of ['ListenPort', 'MaxFileSizeStr']) expect(about(key)).toHaveLength(1)
  })

  test('finds a data directory that is a file, and one that cannot be created', async () => {
    await writeFile(join(directory, 'files'), '')
    expect((await check()).about('data store')).toEqual([
      expect.stringMatching(/^fail the file store cannot be/),
    ])
    const below = await check({ DATA_BACKEND_CONFIG_DIRECTORY: join(directory, 'files/deeper') })
    expect([below.status, below.about('data store')]).toEqual([
      1,
      [expect.stringMatching(/^fail .*deeper cannot be created: ENOTDIR/)],
    ])
  })

  test('finds a disk with less free space than uploads need', async () => {
    await mkdir(join(directory, 'files'))
    const { status, about } = await check({ MIN_FREE_SPACE_STR: '1000000 GB' })
    expect([status, about('free space')]).toEqual([
      1,
      [expect.stringMatching(/^fail .* MinFreeSpaceStr is .*: uploads are refused/)],
    ])
  })

  test('finds a database that is none, and one of a newer program', async () => {
    await writeFile(
      join(directory, 'svc.db'),
      'this is not a database, but it is long enough to be read as one',
    )
    const damaged = await check()
    expect(damaged.about('database')).toEqual([expect.stringMatching(/^fail .*not a database/)])
    expect(damaged.about('data store')).toEqual([
      expect.stringMatching(/^warn .*the database may have files/),
    ])

    const server = await startHere({ directory: join(directory, 'other') })
    await server.close()
    const path = join(directory, 'other/svc.db')
    const database = new DatabaseSync(path)
    database.exec(`insert into kysely_migration values ('9999-future', '')`)
    database.close()
    const { status, about } = await check({ METADATA_BACKEND_CONFIG_CONNECTION_STRING: path })
    expect([status, about('database')]).toEqual([
      1,
      [expect.stringMatching(/^fail .* newer svcd \(9999-future\)/)],
    ])
  })

  test('warns of files without their database, and finds a database without its files', async () => {
    const server = await startHere()
    await storeUpload(server)
    await server.close()
    const before = everything()
    const lost = join(directory, 'lost')
    const database = await check({ METADATA_BACKEND_CONFIG_CONNECTION_STRING: lost })
    expect([database.status, database.about('database')]).toEqual([
      0,
      [
        expect.stringMatching(
          /^warn .*lost does not exist, but the data directory has files: .*ConnectionString/,
        ),
      ],
    ])
    const files = await check({ DATA_BACKEND_CONFIG_DIRECTORY: lost })
    expect([files.status, files.about('data store')]).toEqual([
      1,
      [expect.stringMatching(/^fail .*lost does not exist, but the database has files: .*Directory right/)],
    ])
    expect(everything()).toEqual(before)
    const withoutMigrations = async (since: string) => {
      const database = new DatabaseSync(join(directory, 'svc.db'))
      database.exec(`delete from kysely_migration where name >= '${since}'`)
      database.close()
      return (await check({ DATA_BACKEND_CONFIG_DIRECTORY: lost })).about('data store')
    }
    expect(await withoutMigrations('0025')).toEqual([
      expect.stringMatching(/^fail .*lost does not exist, but the database has files/),
    ])
    expect(await withoutMigrations('0011')).toEqual([
      expect.stringMatching(/^warn .*lost does not exist, and the database may have files/),
    ])
    await writeFile(lost, '')
    expect(
      (await check({ METADATA_BACKEND_CONFIG_CONNECTION_STRING: lost })).about('database'),
    ).toContainEqual(expect.stringMatching(/^warn SQLite .* is empty, but the data directory has files/))
  })

  test('warns where FsyncUploads is off', async () => {
    expect((await check()).about('durability')).toEqual([])
    await (await startHere()).close()
    expect((await check()).about('durability')).toEqual([])
    expect((await check({ FSYNC_UPLOADS: 'false' })).about('durability')).toEqual([
      expect.stringMatching(/^warn FsyncUploads is off: with a power cut/),
    ])
  })

  test('finds a heartbeat of another instance that is ahead of the clock', async () => {
    const server = await startHere()
    const database = new DatabaseSync(join(directory, 'svc.db'))
    database.prepare('update instances set seenAt = ?').run(server.clock.now() + 10_000)
    database.close()
    expect((await check({}, { clock: server.clock })).about('clocks')).toEqual([
      expect.stringMatching(/^warn a heartbeat of another instance is 10 s ahead/),
    ])
  })
})

/** @returns the address for a user who may open no more connections */
async function refuseConnections(config: MetadataBackendConfig): Promise<string> {
  const admin = await connectDirectly(config)
  onTestFinished(() => admin.close())
  const address = new URL(config.connectionString)
  address.username = 'usual'
  if (config.driver === 'postgres') await admin.query('create role usual login connection limit 0')
  else {
    const user = `usual@'127.0.0.1'`
    await admin.query(`create user ${user} with max_user_connections 1`)
    await admin.query(`grant all on ${address.pathname.slice(1)}.* to ${user}`)
    const other = await connectDirectly({ ...config, connectionString: address.href })
    onTestFinished(() => other.close())
  }
  return address.href
}

const flushing = 'innodb_flush_log_at_trx_commit'

for (const kind of networkKinds) {
  describeOn(kind, 'svcd check', () => {
    test('sees a database that is empty, up to date, or unavailable', async () => {
      const database = await startOwnServer(kind)
      onTestFinished(() => database.remove())
      const metadataBackend = await newDatabase(kind, database)
      const settings = {
        METADATA_BACKEND_CONFIG_DRIVER: kind,
        METADATA_BACKEND_CONFIG_CONNECTION_STRING: metadataBackend.connectionString,
      }
      const product = kind === 'postgres' ? 'PostgreSQL' : 'MariaDB'
      const clock = { clock: systemClock }
      const empty = await check(settings, clock)
      expect([empty.status, empty.about('clocks')]).toEqual([0, ['ok the clocks agree']])
      // The test servers bring nothing to the disk.
      const weak = kind === 'postgres' ? ['fsync', 'full_page_writes', 'synchronous_commit'] : [flushing]
      expect(empty.about('durability').map((line) => line.split(' ', 2)[1])).toEqual(weak)
      expect(empty.about('durability')).toContainEqual(
        expect.stringMatching(/with a power cut, .*; set it to/),
      )
      expect(empty.about('database')).toEqual([
        expect.stringMatching(new RegExp(`^ok .*${product}.* is empty: the first start creates its tables$`)),
      ])
      // Still empty: the look was none but a look.
      expect((await check(settings, clock)).about('database')).toEqual(empty.about('database'))

      const server = await startHere({ config: { metadataBackend } })
      await server.close()
      expect((await check(settings, clock)).about('database')).toEqual([
        expect.stringMatching(new RegExp(`^ok .*${product}.* is up to date$`)),
      ])
      expect((await check(settings)).about('clocks')).toEqual([
        expect.stringMatching(/^warn the clock of the database is \d+ s ahead of that of this machine/),
      ])

      const crowded = await check(
        { ...settings, METADATA_BACKEND_CONFIG_CONNECTION_STRING: await refuseConnections(metadataBackend) },
        clock,
      )
      expect([crowded.status, crowded.about('database')]).toEqual([
        1,
        [
          expect.stringMatching(
            /^fail .*(?:too many connections|max_user_connections).*: raise max_connections/,
          ),
        ],
      ])

      await database.stop()
      const unavailable = await check(settings, clock)
      expect([unavailable.status, unavailable.about('database')]).toEqual([
        1,
        [expect.stringMatching(/^fail .*ECONNREFUSED.*: is it running/)],
      ])
    })
  })
}
