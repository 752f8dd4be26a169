import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { archivePath } from '@svc/contract'
import { NoSpaceError } from '../../src/data/backend/backend.ts'
import { memoryBackend } from '../../src/data/memory/memory.ts'
import { breakOff, offsetOf, patch, newFile } from '../resumable/tus.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { describeOn, newDatabase, startOwnServer } from '../support/databases/network-databases.ts'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { startReceiver } from '../support/notifications/receiver.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import { readSamples } from './samples.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

const memoryDatabase = { driver: 'sqlite3', connectionString: ':memory:', fsync: false } as const

let server: TestServer
let listener: string
const start = async ({ config, ...options }: TestServerOptions = {}) => {
  const port = await freePort()
  listener = `http://127.0.0.1:${String(port)}`
  server = await startTestServer({
    data: memoryBackend(),
    config: { metrics: { address: '127.0.0.1', port }, ...config },
    ...options,
  })
}
beforeEach(() => start())
afterEach(() => server.close())

const readAll = () => readSamples(listener)
/** The server ends a request a moment after its client has the response. */
const untilSum = (name: string, labels: Record<string, string>, wanted: number) =>
  until(`${name} is ${String(wanted)}`, async () => (await readAll()).sum(name, labels) === wanted)
const requests = 'svcd_http_request_duration_seconds_count'

test('requests are counted by route, method and status', async () => {
  const { upload, path } = await storeUpload(server)
  for (let round = 0; round < 3; round += 1) await sendRequest(server.url, `/upload/${upload.id}`)
  await sendRequest(server.url, '/upload/unknown')
  await sendRequest(server.url, path)
  await sendRequest(server.url, path, { method: 'HEAD' })
  await sendRequest(server.url, path, { headers: { range: 'bytes=0-1' } })
  const file = '/file/{uploadID}/{fileID}/{filename}'
  const expected = [
    ['POST', '/upload', '200', 1],
    ['POST', '/file/{uploadID}', '200', 1],
    ['GET', '/upload/{uploadID}', '200', 3],
    ['GET', '/upload/{uploadID}', '404', 1],
    ['GET', file, '200', 1],
    ['HEAD', file, '200', 1],
    ['GET', file, '206', 1],
  ] as const
  for (const [method, route, status, count] of expected)
    await untilSum(requests, { method, route, status }, count)
})

test('requests that a used-up budget rejects are counted by budget', async () => {
  const { budgets } = server.config
  await server.close()
  await start({ config: { budgets: { ...budgets, qrCodes: 1 } } })
  for (const status of [200, 429, 429])
    expect((await sendRequest(server.url, '/qrcode?url=x')).status).toBe(status)
  const refused = (budget: string) =>
    untilSum('svcd_budget_refusals_total', { budget }, budget === 'qrCodes' ? 2 : 0)
  await refused('qrCodes')
  await refused('uploads')
})

test('requests that a full disk rejects are counted by error code', async () => {
  await server.close()
  const sound = memoryBackend()
  await start({
    data: { ...sound, freeSpace: () => Promise.resolve(1_000) },
    config: { minFreeSpace: 1_000, metadataBackend: memoryDatabase },
  })
  for (const name of ['a', 'b'])
    expect((await sendRequest(server.url, `/${name}`, { method: 'PUT', body: 'x' })).status).toBe(507)
  await untilSum('svcd_space_refusals_total', { code: 'no_space' }, 2)
  await untilSum('svcd_space_refusals_total', { code: 'database_full' }, 0)
})

test('bytes are counted while a download lasts, and a client that disconnects is counted separately', async () => {
  const size = 48 * mebibyte
  const { path } = await storeUpload(server, randomBytes(size))
  const route = '/file/{uploadID}/{fileID}/{filename}'
  await untilSum('svcd_http_received_bytes_total', { route }, 0)
  expect((await readAll()).sum('svcd_http_received_bytes_total')).toBeGreaterThan(size)

  const connection = await rawConnection(server.url)
  await connection.send(requestHead('GET', path))
  await connection.head()
  await connection.take(1_000_000)
  await untilSum('svcd_transfers_active', { kind: 'download' }, 1)
  const { sum } = await readAll()
  expect(sum('svcd_http_sent_bytes_total', { route })).toBeGreaterThan(1_000_000)
  expect(sum('svcd_sending_buffers_used')).toBeGreaterThan(0)
  expect(sum(requests, { route })).toBe(0)
  connection.cut()
  await untilSum(requests, { route, status: 'aborted' }, 1)
  await untilSum('svcd_transfers_active', {}, 0)

  expect((await sendRequest(server.url, path)).body).toHaveLength(size)
  await untilSum(requests, { route, status: '200' }, 1)
  expect((await readAll()).sum('svcd_http_sent_bytes_total', { route })).toBeGreaterThan(size + 1_000_000)
})

test('every kind of transfer is seen while it lasts', async () => {
  const { upload } = await storeUpload(server, randomBytes(48 * mebibyte))
  const archive = await rawConnection(server.url)
  await archive.send(requestHead('GET', archivePath(upload.id, 'all.zip')))
  await untilSum('svcd_transfers_active', { kind: 'archive' }, 1)
  const sending = await rawConnection(server.url)
  await sending.send(requestHead('PUT', '/x', { 'content-length': 100 }))
  await untilSum('svcd_transfers_active', { kind: 'upload' }, 1)
  for (const connection of [archive, sending]) connection.cut()
  await untilSum('svcd_transfers_active', {}, 0)
})

test('what clients make up adds no series beyond one for each route and status', async () => {
  const { path } = await storeUpload(server)
  const evil = (round: number) => [
    sendRequest(server.url, `/nowhere-${String(round)}`),
    sendRequest(server.url, `/upload/${String(round)}`),
    sendRequest(server.url, `/upload/"},x{y="${String(round)}`),
    sendRequest(server.url, `${path}-${String(round)}`),
    sendRequest(server.url, `/%0a${String(round)}?${String(round)}`, { method: 'MKCOL' }),
    sendRequest(server.url, `/${String(round)}`, {
      method: 'DELETE',
      headers: { host: `h${String(round)}` },
    }),
    sendRequest(server.url, `/x/%zz${String(round)}`),
  ]
  await Promise.all(evil(0))
  await until(
    'the first round is counted',
    async () => (await readAll()).sum(requests, { route: 'none' }) >= 2,
  )
  const before = await readAll()
  for (let round = 1; round <= 20; round += 1) await Promise.all(evil(round))
  await until('all rounds are counted', async () => (await readAll()).sum(requests, { route: 'none' }) >= 42)
  const after = await readAll()
  const mine = ({ name }: { readonly name: string }) => name.startsWith('svcd_')
  expect(after.all.filter(mine)).toHaveLength(before.all.filter(mine).length)
})

describe('failures', () => {
  test('of the store are counted; a client that breaks off is none', async () => {
    const cut = await rawConnection(server.url)
    await cut.send(requestHead('PUT', '/cut', { 'content-length': 2_000_000 }))
    await cut.send(new Uint8Array(1_100_000))
    await untilSum('svcd_transfers_active', { kind: 'upload' }, 1)
    cut.cut()
    await untilSum(requests, { status: 'aborted' }, 1)
    expect((await readAll()).sum('svcd_store_errors_total')).toBe(0)
    await server.close()
    await start({ data: { ...memoryBackend(), add: () => Promise.reject(new Error('the disk is broken')) } })
    expect((await sendRequest(server.url, '/x', { method: 'PUT', body: 'x' })).status).toBe(500)
    await untilSum('svcd_store_errors_total', { operation: 'add', kind: 'other' }, 1)
    await server.close()
    await start({ data: { ...memoryBackend(), open: (key) => Promise.reject(new Error(key)) } })
    const { path } = await storeUpload(server)
    expect((await sendRequest(server.url, path)).status).toBe(500)
    await untilSum('svcd_store_errors_total', { operation: 'get', kind: 'other' }, 1)
  })

  test('of the store are counted for resumable files, but not interruptions by their senders', async () => {
    await server.close()
    const memory = memoryBackend()
    const { resumable } = memory
    if (resumable === undefined) throw new Error('no resumable uploads')
    const broken = { fails: false }
    const append: typeof resumable.append = (...args) =>
      broken.fails ? Promise.reject(new NoSpaceError()) : resumable.append(...args)
    await start({ data: { ...memory, resumable: { ...resumable, append } } })
    const file = await newFile(server, { size: 100 })
    await breakOff(server, file, 0, new Uint8Array(10))
    await until('what came is written down', async () => (await offsetOf(server, file)) === 10)
    broken.fails = true
    expect((await patch(server, file, 10, new Uint8Array(10))).status).toBe(507)
    await untilSum('svcd_store_errors_total', { operation: 'append', kind: 'full' }, 1)
    expect((await readAll()).sum('svcd_store_errors_total')).toBe(1)
  })

  describeOn('postgres', 'of the database', () => {
    test('are counted by their kind', async () => {
      await server.close()
      const database = await startOwnServer('postgres')
      onTestFinished(() => database.remove())
      await start({ config: { metadataBackend: await newDatabase('postgres', database) } })
      const { upload } = await storeUpload(server)
      expect((await readAll()).sum('svcd_database_query_duration_seconds_count')).toBeGreaterThan(5)
      await database.stop()
      expect((await sendRequest(server.url, `/upload/${upload.id}`)).status).toBe(503)
      const { sum } = await readAll()
      expect(sum('svcd_database_errors_total', { kind: 'refused' })).toBeGreaterThan(0)
      expect(sum('svcd_database_connections')).toBe(0)
      await database.start()
      await until(
        'the database is back',
        async () => (await sendRequest(server.url, `/upload/${upload.id}`)).status === 200,
      )
    })
  })
})

test('free space and the reserve are measured for each disk; a failing disk hides no other metric', async () => {
  await server.close()
  const disk = { fails: false }
  const freeSpace = () => (disk.fails ? Promise.reject(new Error('no such disk')) : Promise.resolve(1_500))
  await start({ data: { ...memoryBackend(), freeSpace }, config: { minFreeSpace: 1_000 } })
  const before = await readAll()
  expect(before.sum('svcd_free_space_bytes', { place: 'data' })).toBe(1_500)
  expect(before.sum('svcd_free_space_bytes', { place: 'database' })).toBeGreaterThan(1_500)
  expect(before.sum('svcd_free_space_reserve_bytes')).toBe(1_000)
  disk.fails = true
  const disks = (await readAll()).all.filter(({ name }) => name === 'svcd_free_space_bytes')
  expect(disks.map(({ labels }) => labels)).toEqual([{ place: 'database' }])
})

test('cleanups are counted with their results', async () => {
  const { upload, uploadToken } = await storeUpload(server)
  await storeUpload(server, 'short', { ttl: 1 })
  await server.client.removeUpload(upload.id, { uploadToken })
  server.clock.advance(server.config.cleaningInterval * 1000)
  await untilSum('svcd_cleaning_duration_seconds_count', { result: 'done' }, 1)
  const { sum } = await readAll()
  const done = (what: string) => sum('svcd_cleaning_done_total', { what })
  expect([done('expired_uploads'), done('deleted_files'), done('abandoned_files')]).toEqual([1, 2, 0])
  expect(sum('svcd_cleaning_last_success_timestamp_seconds')).toBeGreaterThan(0)
  expect(sum('svcd_cleaning_interval_seconds')).toBe(server.config.cleaningInterval)
})

test('messages to webhooks are counted by result, and the outbox has its age', async () => {
  const receiver = await startReceiver()
  const webhook = { url: receiver.url, secret: `whsec_${Buffer.alloc(32).toString('base64')}` }
  const { notifications } = server.config
  await server.close()
  await start({ config: { notifications: { ...notifications, webhook } } })
  const { path } = await storeUpload(server)
  await sendRequest(server.url, path)
  server.clock.advance(5_000)
  await untilSum('svcd_notifications_total', { result: 'delivered' }, 2)
  receiver.respond = (response) => {
    response.writeHead(500).end()
  }
  await sendRequest(server.url, path)
  server.clock.advance(5_000)
  await untilSum('svcd_notifications_total', { result: 'retried' }, 1)
  expect((await readAll()).sum('svcd_outbox_overdue_seconds')).toBe(0)
  await receiver.close()
})

test('the listener serves nothing else, and is not the service', async () => {
  const { text, headers } = await sendRequest(listener, '/ready')
  expect([text, headers['x-content-type-options']]).toEqual(['ok', 'nosniff'])
  for (const path of ['/', '/health', '/metrics/x', '/config', '/constructor'])
    expect((await sendRequest(listener, path)).status).toBe(404)
  expect((await sendRequest(listener, '/metrics', { method: 'POST' })).status).toBe(404)
  expect((await sendRequest(server.url, '/metrics')).status).toBe(404)
})

test('every metric is in docs/metrics.md with its type and labels, and nothing else is', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../../docs/metrics.md'), 'utf8')
  const rows = page.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim().replaceAll('`', ''))
    const [, name = '', type = '', labels = ''] = cells
    return /^(svcd|nodejs|process)_/.test(name) ? [{ name, type, labels }] : []
  })
  await storeUpload(server)
  await until('a request is counted', async () => (await readAll()).sum(requests) > 0)
  const { types, all } = await readAll()
  expect(new Map(rows.map(({ name, type }) => [name, type]))).toEqual(types)
  for (const { name, labels } of rows.filter((row) => row.name.startsWith('svcd_'))) {
    const series = all.filter((sample) => sample.name.replace(/_(bucket|sum|count)$/, '') === name)
    const used = new Set(
      series.flatMap((sample) => Object.keys(sample.labels)).filter((label) => label !== 'le'),
    )
    expect([name, [...used].sort()]).toEqual([name, labels.split(', ').filter(Boolean).sort()])
  }
})
