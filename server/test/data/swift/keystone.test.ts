import { afterAll, beforeAll, expect, test } from 'vitest'
import { startKeystone, type KeystoneServer } from '../../../../scripts/test-servers/stores/keystone.ts'
import { MissingDataError, StoreUnavailableError } from '../../../src/data/backend/backend.ts'
import type { SwiftBackendOptions } from '../../../src/data/swift/open.ts'
import { openSwift } from '../../support/stores/open-swift.ts'
import { describeOn } from '../../support/describe-on.ts'
import { pageOfProxy, startFaultyProxy, type FaultyProxy } from '../../support/servers/faulty-proxy.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { testDependencies } from '../../support/stores/store-dependencies.ts'
import { bytesOf, collect, inChunks } from '../../support/bytes.ts'
import { never } from '../../support/signals.ts'

/** The server of Keystone handles one request at a time. */
const tuning = { idleTimeout: 30_000, retryPolicy: { tries: 4, firstWaitMs: 1 } }

const segmentSize = 256 * 1024

const denied = /401 .*: check UserName, ApiKey, Project and Domain/

describeOn('keystone', 'Swift behind Keystone', () => {
  let server: KeystoneServer
  let keystone: FaultyProxy

  beforeAll(async () => {
    server = await startKeystone()
    keystone = await startFaultyProxy(new URL(server.authURL).origin)
  })
  afterAll(async () => {
    await keystone.close()
    await server.remove()
  })

  const options = (more: Partial<SwiftBackendOptions> = {}): SwiftBackendOptions => ({
    authURL: `${keystone.url}/v3`,
    authVersion: '3',
    userName: server.user,
    apiKey: server.password,
    domain: server.domain,
    project: server.project,
    region: server.region,
    container: 'files',
    segmentSize,
    ...more,
  })
  const signIns = () => keystone.requests.filter((line) => line === 'POST /v3/auth/tokens').length

  test('keeps files in the configured region, with one authentication', async () => {
    const before = signIns()
    const backend = await openSwift(options(), testDependencies(), tuning)
    const bytes = bytesOf(2 * segmentSize + 10)
    await backend.add('key', inChunks(bytes, 50_000), never)
    expect((await collect(await backend.get('key'))).equals(bytes)).toBe(true)
    const range = { start: segmentSize - 5, end: segmentSize + 5 }
    const part = await collect(await backend.get('key', range))
    expect(part.equals(bytes.subarray(range.start, range.end + 1))).toBe(true)
    await backend.remove('key')
    await expect(backend.get('key')).rejects.toThrow(MissingDataError)
    expect(signIns() - before).toBe(1)
  })

  test('authenticates again before the token expires, once for all requests', async () => {
    const clock = manualClock()
    const backend = await openSwift(options(), testDependencies(clock), tuning)
    const before = signIns()
    const request = () => Promise.all([1, 2, 3].map(() => backend.remove('missing')))
    // Tokens of Keystone expire after an hour.
    clock.advance(53 * 60 * 1000)
    await request()
    expect(signIns() - before).toBe(0)
    clock.advance(2 * 60 * 1000)
    await request()
    expect(signIns() - before).toBe(1)
  })

  test('finds version 3 below an address without a version', async () => {
    const backend = await openSwift(options({ authURL: keystone.url }), testDependencies(), tuning)
    await backend.ping?.(never)
  })

  test('reports the address of another version, without its page', async () => {
    const started = openSwift(options({ authURL: `${keystone.url}/v2.0` }), testDependencies(), tuning)
    await expect(started).rejects.toThrow('DataBackendConfig.AuthURL should end with /v3')
    await expect(started).rejects.not.toThrow(/[<>{}]/)
  })

  test('tolerates a slow Keystone', async () => {
    keystone.fail({ kind: 'respond', status: 503 }, { when: /tokens/, times: 2 })
    await openSwift(options(), testDependencies(), tuning)
  })

  test('waits while a proxy responds in the place of Keystone', async () => {
    const happened = keystone.fail(pageOfProxy, { when: /tokens/, times: 2 })
    await openSwift(options(), testDependencies(), tuning)
    expect(happened()).toBe(2)
  })

  test.each([
    ['a wrong password', { apiKey: 'wrong' }, denied],
    ['an unknown user', { userName: 'absent' }, denied],
    ['a project of another user', { project: 'admin' }, denied],
    ['an unknown domain', { domain: 'nowhere' }, denied],
    ['a region without a store', { region: 'RegionSix' }, 'RegionOne, RegionTwo'],
  ])('does not start with %s, and reports why', async (_, wrong, reason) => {
    const started = openSwift(options(wrong), testDependencies(), tuning)
    await expect(started).rejects.toThrow(reason)
    await expect(started).rejects.toThrow(StoreUnavailableError)
    await expect(started).rejects.not.toThrow(/[<>{}]/)
  })
})
