import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRadosgw } from '../../../../scripts/test-servers/stores/radosgw.ts'
import type { SwiftLogin } from '../../../../scripts/test-servers/stores/object-store.ts'
import type { NetworkStoreTuning } from '../../../src/data/network/tuning.ts'
import { openSwift } from '../../support/stores/open-swift.ts'
import { describeOn } from '../../support/describe-on.ts'
import { allocate } from '../../support/servers/shared-servers.ts'
import { startFaultyProxy } from '../../support/servers/faulty-proxy.ts'
import { newContainer } from '../../support/stores/swift-containers.ts'
import { until } from '../../support/until.ts'
import { manualClock, type ManualClock } from '../../support/clocks/manual-clock.ts'
import { testDependencies } from '../../support/stores/store-dependencies.ts'
import { bytesOf, collect, inChunks } from '../../support/bytes.ts'
import { testDataBackend } from '../suites/contract-suite.ts'
import { testTuning, type NetworkStoreUnderTest } from '../suites/network-store.ts'
import { testNetworkStore } from '../suites/network-store-suite.ts'
import { testParts } from '../suites/parts-suite.ts'
import { testResumableWrites } from '../suites/resumable-suite.ts'
import { testSharedMemory } from '../suites/shared-memory-suite.ts'
import { never } from '../../support/signals.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

interface Started {
  readonly login: SwiftLogin
  remove(): Promise<void>
}

const servers = {
  swift: async (): Promise<Started> => {
    return { login: await allocate('swift'), remove: () => Promise.resolve() }
  },
  radosgw: async (): Promise<Started> => {
    const server = await startRadosgw()
    return { login: await server.openSwift(), remove: () => server.remove() }
  },
}

const segmentSize = 256 * 1024
for (const [kind, start] of Object.entries(servers)) {
  describeOn(kind as keyof typeof servers, 'the API of Swift', () => {
    let server: Started
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server.remove())

    testDataBackend('Swift', async () => {
      const container = newContainer(server.login)
      return {
        backend: await openSwift(container.options({ segmentSize: mebibyte }), testDependencies()),
        stored: container.objects,
        close: () => Promise.resolve(),
      }
    })

    test.each([
      ['in a write', /^PUT .*container-\d+.key.0/, 1],
      ['in the write of a small file', /^PUT .*container-\d+.small$/, 0],
      ['in a read', /^GET .*container-\d+.key$/, 0],
      ['in a removal', /^DELETE/, 0],
    ])('a token that is rejected %s is replaced', async (_, when, skip) => {
      const { origin, pathname } = new URL(server.login.authURL)
      const proxy = await startFaultyProxy(origin)
      const options = newContainer(server.login).options({ authURL: `${proxy.url}${pathname}`, segmentSize })
      const backend = await openSwift(options, testDependencies(), testTuning)
      const rejected = proxy.fail({ kind: 'respond', status: 401 }, { when, skip, times: 1 })
      const bytes = bytesOf(2 * segmentSize + 1_000)
      await backend.add('key', inChunks(bytes, 50_000), never)
      await backend.add('small', inChunks(bytesOf(10), 10), never)
      expect((await collect(await backend.get('key'))).equals(bytes)).toBe(true)
      await backend.remove('key')
      expect(rejected()).toBe(1)
      expect(proxy.requests.filter((line) => line.includes('/auth'))).toHaveLength(2)
      await proxy.close()
    })

    test('a wrong key is reported by its name, without an error page', async () => {
      const options = newContainer(server.login).options({ apiKey: 'wrong' })
      const opened = openSwift(options, testDependencies(), testTuning)
      await expect(opened).rejects.toThrow(/40[13].*: check UserName and ApiKey of DataBackendConfig/)
      await expect(opened).rejects.not.toThrow(/[<>{}]/)
    })

    test('segments that a crash has left are removed with their key, and no others', async () => {
      const container = newContainer(server.login)
      const backend = await openSwift(container.options({ segmentSize }), testDependencies(), testTuning)
      const crashed = Promise.withResolvers<undefined>()
      async function* source() {
        yield* inChunks(bytesOf(3 * segmentSize), 50_000)
        crashed.resolve(undefined)
        await new Promise(() => undefined)
      }
      // Never ends, like a process that has crashed.
      void backend.add('key', source(), never)
      await backend.add('key1', inChunks(bytesOf(3 * segmentSize), 50_000), never)
      await crashed.promise
      await until('segments are there', async () => (await container.objects()).includes('key/00000002'))
      await backend.remove('key')
      expect(await container.objects()).toEqual([
        'key1',
        ...['key1/00000001', 'key1/00000002', 'key1/00000003'],
      ])
    })

    testResumableWrites('Swift', { borders: [segmentSize], commitBytes: segmentSize, runs: 6 }, () => {
      const container = newContainer(server.login)
      return Promise.resolve({
        open: () => openSwift(container.options({ segmentSize }), testDependencies()),
        stored: container.objects,
        close: () => Promise.resolve(),
      })
    })

    testSharedMemory('Swift', () =>
      openSwift(newContainer(server.login).options({ segmentSize }), testDependencies(), {
        memory: 2 * segmentSize,
      }),
    )

    // Failures of the network are the same for both servers.
    if (kind !== 'swift') return
    const networkStore = async (
      clock: ManualClock,
      tuning: NetworkStoreTuning,
    ): Promise<NetworkStoreUnderTest> => {
      const { origin, pathname } = new URL(server.login.authURL)
      const proxy = await startFaultyProxy(origin)
      const container = newContainer(server.login)
      const options = container.options({ authURL: `${proxy.url}${pathname}`, segmentSize })
      return {
        open: (idleTimeout = testTuning.idleTimeout) =>
          openSwift(options, testDependencies(clock), { ...tuning, idleTimeout }),
        proxy,
        stored: container.objects,
        close: () => proxy.close(),
      }
    }

    testNetworkStore(
      'Swift',
      {
        partSize: segmentSize,
        isWrite: /^PUT .*container-\d+.\w/,
        isRead: /^GET .*container-\d+.key/,
      },
      () => networkStore(manualClock(), testTuning),
    )

    testParts(
      'Swift',
      {
        partSize: segmentSize,
        objectsOf: (parts) => parts + 1,
        isWrite: /^PUT .*container-\d+.key.0/,
        isMerge: /^GET .*container-\d+.key.0[^?]*$/,
      },
      (mergeCount, clock) => networkStore(clock, { retryPolicy: testTuning.retryPolicy, mergeCount }),
    )
  })
}
