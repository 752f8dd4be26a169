import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readSamples } from '../metrics/samples.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { rawConnection, requestHead, type RawConnection } from '../support/clients/raw-connection.ts'
import { lookUp } from '../support/servers/server-data.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import {
  emptyDirectory,
  runSvcd,
  signalUntilEnded,
  startSvcd,
  type Settings,
  type Svcd,
} from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'
import { raceForDownloads } from '../one-shot/race.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

const bytes = Buffer.from(randomBytes(48 * mebibyte))

let directory: string
let server: Svcd
beforeEach(async () => {
  directory = await emptyDirectory()
})

const start = async (settings: Settings = {}) => {
  server = await startSvcd(directory, { WORKERS: '2', ...settings })
  // Lines of the log are gathered for a moment.
  if (settings['LOG_LEVEL'] !== 'warn') await until('both are logged', () => workers().length === 2)
}

interface Line {
  readonly pid: number
  readonly msg: string
}
const lines = (): readonly Line[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line)

/** The workers that ever listened, in their order. */
const workers = () =>
  lines()
    .filter(({ msg }) => msg === 'listening')
    .map(({ pid }) => pid)
const stopping = () => until('a worker stops', () => lines().some(({ msg }) => msg.startsWith('stopping')))

const hasResponse = () =>
  sendRequest(server.url, '/health').then(
    () => true,
    () => false,
  )

/** A download that is on its way, far from its end. */
async function runningDownload(path: string): Promise<RawConnection> {
  const connection = await rawConnection(server.url)
  await connection.send(requestHead('GET', path))
  expect((await connection.head()).status).toBe(200)
  await connection.take(1_000)
  return connection
}

const finish = async (connection: RawConnection) => {
  const rest = await connection.take(bytes.length - 1_000)
  connection.socket.end()
  return rest.equals(bytes.subarray(1_000))
}

describe('two workers', () => {
  afterEach(async () => {
    server.kill('SIGTERM')
    await server.ended
  })

  test('share one port, each an instance, and say so in one line', async () => {
    await start()
    expect(server.output()).toBe(`svcd listens on ${server.url}/\n`)
    expect(new Set(workers()).size).toBe(2)
    expect(lookUp({ directory }, 'select count(*) from instances')).toEqual([2])
    for (let round = 0; round < 10; round += 1)
      expect((await sendRequest(server.url, '/config')).status).toBe(200)
    const served = () => lines().filter(({ msg }) => msg === 'request')
    await until('all requests are logged', () => served().length === 10)
    const share = workers().map((worker) => served().filter(({ pid }) => pid === worker).length)
    expect(share).toEqual([5, 5])
  })

  test('one that is killed is replaced, and whom the other serves notices nothing', async () => {
    await start()
    const { path } = await storeUpload(server, bytes)
    const downloads = [await runningDownload(path), await runningDownload(path)]
    const [victim = 0, survivor = 0] = workers()
    process.kill(victim, 'SIGKILL')
    await until('there is another', () => workers().length === 3)
    const results = await Promise.allSettled(downloads.map(finish))
    expect(results.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(1)
    const replacement = workers().at(-1)
    expect([victim, survivor]).not.toContain(replacement)
    const seen = () =>
      new Set(
        lines()
          .filter(({ msg }) => msg === 'request')
          .map(({ pid }) => pid),
      )
    for (let round = 0; round < 4; round += 1)
      expect((await sendRequest(server.url, '/config')).status).toBe(200)
    await until('the new one serves', () => seen().has(replacement ?? 0))
  })

  test('exactly one of 200 downloads gets a one-shot file', async () => {
    await start({ LOG_LEVEL: 'warn' })
    await raceForDownloads([server, server], { rounds: 5 })
  })

  test('their metrics are combined', async () => {
    const port = await freePort()
    const listener = `http://127.0.0.1:${String(port)}`
    await start({ METRICS_PORT: String(port) })
    for (let round = 0; round < 10; round += 1) await sendRequest(server.url, '/config')
    const requests = 'svcd_http_request_duration_seconds_count'
    await until('all requests are counted', async () => {
      const { sum } = await readSamples(listener)
      return sum(requests, { route: '/config', status: '200' }) === 10
    })
    expect((await readSamples(listener)).sum('svcd_build_info')).toBe(1)
    expect((await sendRequest(listener, '/ready')).text).toBe('ok')
  })
})

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('lets running downloads of all workers finish, and ends with 0', async () => {
    await start()
    const { path } = await storeUpload(server, bytes)
    const downloads = [await runningDownload(path), await runningDownload(path)]
    server.kill(signal)
    await stopping()
    await until('new connections are refused', async () => !(await hasResponse()))
    expect(await Promise.all(downloads.map(finish))).toEqual([true, true])
    expect((await server.ended).status).toBe(0)
    expect(lookUp({ directory }, 'select count(*) from instances')).toEqual([0])
  })

  test('delays no new client, although transfers continue', async () => {
    await start()
    const { path } = await storeUpload(server, bytes)
    const downloads = [await runningDownload(path), await runningDownload(path)]
    const comeAgain = async (): Promise<void> => {
      for (;;) if (!(await hasResponse())) return
    }
    const clients = Array.from({ length: 30 }, comeAgain)
    server.kill(signal)
    await Promise.all(clients)
    expect(await Promise.all(downloads.map(finish))).toEqual([true, true])
    expect((await server.ended).status).toBe(0)
  })

  test('sent to all processes at once, as a terminal does, is not a second one', async () => {
    await start()
    const { path } = await storeUpload(server, bytes)
    const download = await runningDownload(path)
    server.kill(signal)
    for (const worker of workers()) process.kill(worker, signal)
    await stopping()
    expect(await finish(download)).toBe(true)
    expect((await server.ended).status).toBe(0)
  })

  test('given twice ends all processes at once', async () => {
    await start()
    const { path } = await storeUpload(server, bytes)
    const download = await runningDownload(path)
    const all = workers()
    server.kill(signal)
    await stopping()
    expect((await signalUntilEnded(server, signal)).status).toBe(1)
    expect((await download.rest()).length).toBeLessThan(bytes.length - 1_000)
    await until('no worker is left', () => all.every((pid) => !isAlive(pid)))
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('workers end with their primary, however it ends', async () => {
  await start()
  const all = workers()
  server.kill('SIGKILL')
  await server.ended
  await until('no worker is left', () => all.every((pid) => !isAlive(pid)))
})

test('an error that prevents the first worker from starting is reported once, and ends the rest', async () => {
  const taken = await startSvcd(directory)
  const { port } = new URL(taken.url)
  const { status, stderr, output } = await runSvcd(['serve'], directory, {
    WORKERS: '3',
    LISTEN_PORT: port,
  })
  taken.kill('SIGTERM')
  await taken.ended
  expect([status, output]).toEqual([1, ''])
  expect(stderr.match(/EADDRINUSE/g)).toHaveLength(1)
  expect(stderr).toContain('the workers cannot start')
})

test('memory backends are rejected with several workers', async () => {
  const { status, stderr } = await runSvcd(['serve'], directory, {
    WORKERS: '2',
    DATA_BACKEND: 'memory',
    METADATA_BACKEND_CONFIG_CONNECTION_STRING: ':memory:',
  })
  expect(status).toBe(2)
  expect(stderr).toContain('DataBackend')
  expect(stderr).toContain('MetadataBackendConfig.ConnectionString')
})
