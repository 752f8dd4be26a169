import { expect, test } from 'vitest'
import { readSamples } from '../metrics/samples.ts'
import { memoryBackend } from '../../src/data/memory/memory.ts'
import { StoreUnavailableError, type DataBackend } from '../../src/data/backend/backend.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { describeCluster, type Cluster } from '../support/servers/cluster.ts'
import { until } from '../support/until.ts'

const roundTrips = 5
const hour = 60 * 60 * 1000
/** Two checks whether a verification is due. */
const someMinutes = 10 * 60 * 1000

/** A store whose listings are counted, and wait for the test. */
function countedStore() {
  const data = memoryBackend()
  const { inventory } = data
  if (inventory === undefined) throw new Error('the store has no inventory')
  const waiting: (() => void)[] = []
  const state = { listings: 0, hold: false, isUnavailable: false }
  const list = async function* () {
    state.listings += 1
    if (state.isUnavailable) throw new StoreUnavailableError('unavailable')
    if (state.hold)
      await new Promise<void>((release) => {
        waiting.push(release)
      })
    yield* inventory.list()
  }
  const store: DataBackend = { ...data, inventory: { ...inventory, list } }
  return {
    data: store,
    state,
    release: () => {
      for (const next of waiting.splice(0)) next()
    },
  }
}

async function startMeasured(cluster: Cluster, data: DataBackend, interval = (24 * hour) / 1000) {
  const port = await freePort()
  const server = await cluster.start({
    data,
    config: { verifyInterval: interval, metrics: { address: '127.0.0.1', port } },
  })
  const verificationStats = () => readSamples(`http://127.0.0.1:${String(port)}`)
  const done = async () => (await verificationStats()).sum('svcd_verifications_total', { result: 'done' })
  const failed = async () => (await verificationStats()).sum('svcd_verifications_total', { result: 'failed' })
  const found = async (kind: string) =>
    (await verificationStats()).sum('svcd_verification_findings', { kind })
  return { ...server, stats: verificationStats, done, failed, found }
}

/** Waits while the time of a server passes, because a check is skipped while the one before it has not ended. */
const untilCheck = (
  { clock }: Pick<Awaited<ReturnType<typeof startMeasured>>, 'clock'>,
  what: string,
  look: () => boolean | Promise<boolean>,
) =>
  until(what, () => {
    clock.advance(someMinutes)
    return look()
  })

/** Waits for the heartbeat of an instance at this time. */
async function heartbeatAt(cluster: Cluster, now: number): Promise<void> {
  const database = await cluster.connect()
  const seen = () => database.query(`select id from instances where "seenAt" = ${String(now)}`)
  await until('its heartbeat is written', async () => (await seen()).length > 0)
}

describeCluster('the scheduled verification', (newCluster) => {
  test('runs on one server at a time, and all servers know its findings', async () => {
    const cluster = await newCluster()
    const { data, state, release } = countedStore()
    const servers = [await startMeasured(cluster, data), await startMeasured(cluster, data)] as const
    const [first, second] = servers
    const { file } = await storeUpload(first)
    await storeUpload(second)
    await data.remove(file.id)
    state.hold = true
    first.clock.advance(someMinutes)
    await until('the first one has begun', () => state.listings === 1)
    // Without a heartbeat, the other one would declare it dead.
    await heartbeatAt(cluster, first.clock.now())
    second.clock.advance(someMinutes)
    // Long enough for a second one to begin.
    for (let trip = 0; trip < roundTrips; trip += 1) await sendRequest(second.url, '/ready')
    release()
    await until('it is done', async () => (await first.done()) === 1)
    expect([state.listings, await second.done(), await first.found('lost')]).toEqual([1, 0, 1])

    await untilCheck(second, 'the other one knows', async () => (await second.found('lost')) === 1)
    expect(state.listings).toBe(1)
    state.hold = false
    second.clock.advance(25 * hour)
    await untilCheck(second, 'a day later it is the other', async () => (await second.done()) === 1)
    expect(state.listings).toBe(2)
    expect((await second.stats()).sum('svcd_verification_last_success_timestamp_seconds')).toBeGreaterThan(0)

    const later = await startMeasured(cluster, data, 0)
    await until(
      'one that starts later reports them without a schedule',
      async () => (await later.found('lost')) === 1,
    )
    const database = await cluster.connect()
    await database.query(`update settings set value = replace(value, '"lost":1', '"lost":0')`)
    await untilCheck(
      later,
      'it follows what a command records',
      async () => (await later.found('lost')) === 0,
    )
    expect(state.listings).toBe(2)
  })

  test('is repeated soon after a failure, or a crash of its server', async () => {
    const cluster = await newCluster()
    const { data, state, release } = countedStore()
    const first = await startMeasured(cluster, data)
    state.isUnavailable = true
    first.clock.advance(someMinutes)
    await until('it failed', async () => (await first.failed()) === 1)
    state.isUnavailable = false
    state.hold = true
    await untilCheck(first, 'it has begun again', () => state.listings >= 2)
    const before = state.listings

    const second = await startMeasured(cluster, data)
    const database = await cluster.connect()
    // As after a crash: no writes and no heartbeats, so none may be under way.
    await heartbeatAt(cluster, first.clock.now())
    await database.query('delete from instances')
    state.hold = false
    await untilCheck(second, 'the other one has done it', async () => (await second.done()) === 1)
    expect(state.listings).toBe(before + 1)
    release()
    await until('the first one has ended', async () => (await first.done()) === 1)
  })

  test('ends at once when the server stops, and does not run where it is disabled', async () => {
    const cluster = await newCluster()
    const { data, state, release } = countedStore()
    const disabled = await cluster.start({ data })
    disabled.clock.advance(48 * hour)
    const first = await startMeasured(cluster, data)
    await storeUpload(first)
    expect(state.listings).toBe(0)
    state.hold = true
    first.clock.advance(someMinutes)
    await until('it has begun', () => state.listings === 1)
    const closed = first.close()
    release()
    await closed
    const database = await cluster.connect()
    const [row] = await database.query(`select "value" from settings where "key" = 'verification'`)
    expect(JSON.parse(String(row?.['value']))).toMatchObject({ doneAt: 0, running: null })
  })
})
