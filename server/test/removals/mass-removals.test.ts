import { expect, test } from 'vitest'
import type { Page, Upload } from '@svc/contract'
import { clean } from '../../src/core/cleanup/clean.ts'
import { removeUploadsOf } from '../../src/core/removal/remove-upload.ts'
import { withService, withWholeTables } from '../../src/composition/server.ts'
import { createUser, createUserToken, root, signIn, userPassword } from '../support/clients/accounts.ts'
import { sendRequest, jsonIn } from '../support/clients/send-request.ts'
import type { DirectConnection } from '../support/databases/direct-connection.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { fillWithUploads } from '../support/databases/many-uploads.ts'
import { storedFiles } from '../support/servers/server-data.ts'
import { startSvcd, type Settings } from '../support/servers/svcd.ts'
import { describeCluster, type Cluster } from '../support/servers/cluster.ts'
import { until } from '../support/until.ts'
import { call, newMember } from '../support/servers/server-with-accounts.ts'

/** Far more than one batch. */
const many = 400

const fill = ({ database, directory }: Cluster, userId: string, count = many) =>
  fillWithUploads({ database, directory, count, upload: { userId, expireAt: null } })

const waitUntilFinished = (database: DirectConnection) =>
  until('the removal is finished', async () => (await database.query('select 1 from removals')).length === 0)

const idsIn = async (database: DirectConnection) =>
  (await database.query('select "id" from uploads')).map(({ id }) => String(id))

/** Everything that is in the database, as text. */
async function allText(database: DirectConnection): Promise<string> {
  const rows: unknown[] = []
  for (const table of ['users', 'uploads', 'files', 'sessions', 'tokens', 'removals', 'resumables'])
    rows.push(await database.query(`select * from ${table}`))
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
}

describeCluster('many uploads of one user', (newCluster) => {
  test('are hidden on every server as soon as the removal gets its response, and later ones stay', async () => {
    const cluster = await newCluster()
    const [server, other] = [await cluster.start(), await cluster.start()]
    const member = await newMember(server)
    await fill(cluster, member.id)
    const database = await cluster.connect()
    const ids = await idsIn(database)
    expect((await call(server, 'DELETE /me/uploads', { as: member.session })).text).toBe('ok')
    const seen = await Promise.all(ids.slice(-20).map((id) => call(other, `GET /upload/${id}`)))
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([404]))
    const list = jsonIn(await call(other, 'GET /me/uploads', { as: member.session })) as Page<Upload>
    expect(list).toMatchObject({ results: [], total: 0 })
    const token = await createUserToken(other, member.session)
    const put = await sendRequest(other.url, '/later.txt', {
      method: 'PUT',
      headers: { 'x-svctoken': token },
      body: 'later',
    })
    await waitUntilFinished(database)
    await until('the bytes are deleted', () => storedFiles(cluster).length === 1)
    expect((await sendRequest(other.url, new URL(put.text.trim()).pathname)).text).toBe('later')
    const left = await database.query(`select "usedSize" from users where "id" = '${member.id}'`)
    expect(Number(left[0]?.['usedSize'])).toBe(5)
    await expectCorrectCounters(database, cluster)
  })

  test('count in no stats and no quota before the first batch, between two, and after the last', async () => {
    const cluster = await newCluster()
    const server = await cluster.start()
    await createUser(server, server.admin, { login: 'owner', maxUserSize: many + 3 })
    const owner = await signIn(server, { login: 'owner', password: userPassword })
    await fill(cluster, 'local:owner')
    const stats = async (route: 'GET /me/stats' | 'GET /stats') =>
      jsonIn(await call(server, route, { as: route === 'GET /stats' ? server.admin : owner }))
    const put = async (body: string) =>
      (await sendRequest(server.url, '/later.txt', { method: 'PUT', headers: owner.headers, body })).status
    expect(await put('later')).toBe(413)
    // Nothing cleans in the background of a command.
    const due = await withService(
      server.config,
      async (service) => {
        await removeUploadsOf(service, 'local:owner')
        return service.store.uploadBatches.due(server.clock.now())
      },
      { clock: server.clock },
    )
    expect(due).toBeGreaterThanOrEqual(2 * many)
    expect(await stats('GET /me/stats')).toEqual({ uploads: 0, files: 0, totalSize: 0 })
    expect(await stats('GET /stats')).toMatchObject({ users: 2, uploads: 0, files: 0, totalSize: 0 })
    expect(await put('later')).toBe(200)
    expect(await put('x'.repeat(many))).toBe(413)

    const later = { uploads: 1, files: 1, totalSize: 5 }
    const cut = new AbortController()
    const interrupted = withService(
      server.config,
      (service) => clean(service, { signal: cut.signal, onProgress: () => cut.abort(new Error('cut')) }),
      { clock: server.clock },
    )
    await expect(interrupted).rejects.toThrow('cut')
    const database = await cluster.connect()
    expect(await database.query('select 1 from removals')).toHaveLength(1)
    expect(await stats('GET /me/stats')).toEqual(later)
    expect(await put('x'.repeat(many))).toBe(413)
    const recount = () => withWholeTables(server.config, (tables) => tables.recount())
    const right = { uploads: 0, users: 0, counters: 0 }
    expect([await recount(), await stats('GET /me/stats')]).toEqual([right, later])

    await server.clean()
    expect(await database.query('select 1 from removals')).toEqual([])
    expect([await recount(), await stats('GET /me/stats')]).toEqual([right, later])
    expect(await stats('GET /stats')).toMatchObject({ users: 2, ...later })
    await expectCorrectCounters(database, cluster)
  })

  test('leave nothing of a deleted account, whose login is free at once', async () => {
    const cluster = await newCluster()
    const server = await cluster.start()
    await createUser(server, server.admin, {
      login: 'mallory',
      name: 'Mallory M',
      email: 'mallory@svc.example',
    })
    await fill(cluster, 'local:mallory')
    const database = await cluster.connect()
    const [id = ''] = await idsIn(database)
    expect((await call(server, 'DELETE /user/local:mallory', { as: server.admin })).status).toBe(200)
    expect((await call(server, `GET /upload/${id}`)).status).toBe(404)
    expect((await call(server, 'GET /user/local:mallory', { as: server.admin })).status).toBe(404)
    await createUser(server, server.admin, { login: 'mallory' })
    const successor = await signIn(server, { login: 'mallory', password: userPassword })
    const list = jsonIn(await call(server, 'GET /me/uploads', { as: successor })) as Page<Upload>
    expect(list).toMatchObject({ results: [], total: 0 })
    await waitUntilFinished(database)
    expect((await call(server, 'GET /me', { as: successor })).status).toBe(200)
    await call(server, 'DELETE /user/local:mallory', { as: server.admin })
    await server.clean()
    expect(await allText(database)).not.toMatch(/mallory|Mallory|192\.0\.2\.7|A comment|name\.txt/)
    expect(storedFiles(cluster)).toEqual([])
    await expectCorrectCounters(database, cluster)
  })

  test('are removed by the next process when the first one is killed after its response', async () => {
    const cluster = await newCluster()
    // The process is killed long before the end.
    const total = 10 * many
    const settings: Settings = {
      LOG_LEVEL: 'error',
      FEATURE_AUTHENTICATION: 'enabled',
      METADATA_BACKEND_CONFIG_DRIVER: cluster.kind,
      METADATA_BACKEND_CONFIG_CONNECTION_STRING: cluster.database.connectionString,
      CLEANING_INTERVAL_STR: '1d',
    }
    const server = await cluster.start()
    await createUser(server, server.admin, { login: 'owner' })
    await fill(cluster, 'local:owner', total)
    const database = await cluster.connect()
    const presentIds = async () =>
      (await database.query('select "id" from uploads where "deletedAt" is null')).length
    const killed = await startSvcd(cluster.directory, settings)
    const owner = await signIn(killed, { login: 'owner', password: userPassword })
    expect((await call(killed, 'DELETE /me', { as: owner })).status).toBe(200)
    await until('some are removed', async () => (await presentIds()) < total)
    killed.kill('SIGKILL')
    await killed.ended
    expect(await presentIds()).toBeGreaterThan(0)
    expect(await database.query('select 1 from removals')).toHaveLength(1)
    const next = await startSvcd(cluster.directory, settings)
    await waitUntilFinished(database)
    expect(await presentIds()).toBe(0)
    await until('the bytes are deleted', () => storedFiles(cluster).length === 0)
    const [users] = [await database.query('select "id" from users')]
    expect(users).toEqual([{ id: `local:${root.login}` }])
    next.kill('SIGTERM')
    await next.ended
    await expectCorrectCounters(database, cluster)
  })

  test('that two servers clean up in parallel are each removed, blanked and purged once', async () => {
    const cluster = await newCluster()
    const pair = [
      await cluster.start({ config: { retention: 0 } }),
      await cluster.start({ config: { retention: 0 } }),
    ]
    const [server] = pair
    if (server === undefined) throw new Error('no server')
    const member = await newMember(server)
    await fillWithUploads({ ...cluster, count: many, upload: { userId: member.id, expireAt: 2_000 } })
    const reports = await Promise.all([...pair, ...pair].map((instance) => instance.clean()))
    const sum = (counter: keyof (typeof reports)[number]) =>
      reports.reduce((total, report) => total + report[counter], 0)
    expect([sum('expiredUploads'), sum('deletedFiles'), sum('failedDeletions')]).toEqual([many, many, 0])
    await server.clean()
    const database = await cluster.connect()
    expect(await database.query('select 1 from uploads')).toEqual([])
    expect(await database.query('select 1 from files')).toEqual([])
    await expectCorrectCounters(database, cluster)
  })
})
