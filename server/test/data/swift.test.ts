import { afterAll, beforeAll } from 'vitest'
import { startRadosgw } from '../../../scripts/test-servers/radosgw.ts'
import type { SwiftLogin } from '../../../scripts/test-servers/object-store.ts'
import { startSwift } from '../../../scripts/test-servers/swift.ts'
import { swiftBackend } from '../../src/data/swift/open.ts'
import { describeOn } from '../support/describe-on.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { manualClock } from '../support/manual-clock.ts'
import { newContainer } from '../support/swift-containers.ts'
import { testDataBackend } from './contract-suite.ts'
import { testNetworkStore, testTuning } from './network-store-suite.ts'

interface Started {
  readonly login: SwiftLogin
  remove(): Promise<void>
}

const servers = {
  swift: async (): Promise<Started> => {
    const server = await startSwift()
    return { login: server, remove: () => server.remove() }
  },
  radosgw: async (): Promise<Started> => {
    const server = await startRadosgw()
    return { login: await server.openSwift(), remove: () => server.remove() }
  },
}

const segmentSize = 256 * 1024
for (const [kind, start] of Object.entries(servers)) {
  describeOn(kind as keyof typeof servers, 'the interface of Swift', () => {
    let server: Started
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server.remove())

    testDataBackend('Swift', async () => {
      const container = newContainer(server.login)
      return {
        backend: await swiftBackend(container.options({ segmentSize: 1024 * 1024 }), manualClock()),
        stored: container.objects,
        close: () => Promise.resolve(),
      }
    })

    testNetworkStore(
      'Swift',
      {
        partSize: segmentSize,
        isWrite: /^PUT .*container-\d+.\w/,
        isRead: /^GET .*container-\d+.key/,
      },
      async () => {
        const { origin, pathname } = new URL(server.login.authURL)
        const proxy = await startFaultyProxy(origin)
        const container = newContainer(server.login)
        const options = container.options({ authURL: `${proxy.url}${pathname}`, segmentSize })
        return {
          backend: await swiftBackend(options, manualClock(), testTuning),
          proxy,
          stored: container.objects,
          close: () => proxy.close(),
        }
      },
    )
  })
}
