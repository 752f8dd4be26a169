import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { createUser, signIn, userPassword } from '../support/clients/accounts.ts'
import type { DirectConnection } from '../support/databases/direct-connection.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { fillWithUploads } from '../support/databases/many-uploads.ts'
import { storedFiles } from '../support/servers/server-data.ts'
import { runSvcd, startSvcd, type Settings, type Svcd } from '../support/servers/svcd.ts'
import { describeCluster, type Cluster } from '../support/servers/cluster.ts'
import { until } from '../support/until.ts'
import { call } from '../support/servers/server-with-accounts.ts'

/** Of each kind: more than one batch on every database. */
const many = 1_100

/** The progress of each kind of batch, from 0 to `2 * many`. */
const kinds = {
  'removed uploads': `select "id" from uploads where "deletedAt" is null`,
  'deleted files': `select "id" from files where "status" <> 'deleted'`,
  'blanked uploads': `select "id" from uploads where "erasedAt" is null`,
  'purged uploads': `select "id" from uploads`,
} as const

type Kind = keyof typeof kinds

const settingsOf = ({ kind, database }: Cluster): Settings => ({
  LOG_LEVEL: 'error',
  FEATURE_AUTHENTICATION: 'enabled',
  METADATA_BACKEND_CONFIG_DRIVER: kind,
  METADATA_BACKEND_CONFIG_CONNECTION_STRING: database.connectionString,
  RETENTION_STR: '0',
  CLEANING_INTERVAL_STR: '1s',
})

async function kill(server: Svcd): Promise<void> {
  server.kill('SIGKILL')
  await server.ended
}

/** Kills a server when a kind of batch has come to a random place, and a little later than the look that says so. */
async function killWithin(server: Svcd, kind: Kind, database: DirectConnection): Promise<void> {
  const left = randomInt(1, 2 * many)
  await until(`${kind} are under way`, async () => (await database.query(kinds[kind])).length <= left)
  for (let ticks = randomInt(50); ticks > 0; ticks -= 1) await new Promise(setImmediate)
  await kill(server)
}

describeCluster('a removal of many uploads', (newCluster) => {
  test('whose processes are killed in every kind of batch ends with correct counters', async () => {
    const cluster = await newCluster()
    const instance = await cluster.start()
    await createUser(instance, instance.admin, { login: 'owner' })
    const place = { database: cluster.database, directory: cluster.directory, count: many }
    await fillWithUploads({ ...place, upload: { userId: 'local:owner', expireAt: null } })
    await fillWithUploads({ ...place, upload: { expireAt: 2_000 } })
    const database = await cluster.connect()
    const settings = settingsOf(cluster)

    let server = await startSvcd(cluster.directory, settings)
    const owner = await signIn(server, { login: 'owner', password: userPassword })
    expect((await call(server, 'DELETE /me', { as: owner })).status).toBe(200)
    for (const kind of Object.keys(kinds) as Kind[]) {
      await killWithin(server, kind, database)
      server = await startSvcd(cluster.directory, settings)
    }
    await until('no upload is left', async () => (await database.query(kinds['purged uploads'])).length === 0)
    await until(
      'the removal is finished',
      async () => (await database.query('select 1 from removals')).length === 0,
    )
    expect(await database.query('select 1 from files')).toEqual([])
    expect(storedFiles(cluster)).toEqual([])
    await expectCorrectCounters(database, cluster)
    await kill(server)
    const recount = await runSvcd(['stats', '--recount'], cluster.directory, settings)
    expect(recount.output).toContain('all stored counters are correct')
    const verification = await runSvcd(['verify', '--json'], cluster.directory, settings)
    expect(JSON.parse(verification.output)).toMatchObject({ files: 0, stored: 0, findings: [] })
  })
})
