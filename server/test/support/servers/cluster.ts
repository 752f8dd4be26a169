import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe } from 'vitest'
import type { MetadataBackendConfig } from '../../../src/config/config.ts'
import { accountsConfig, root, signIn } from '../clients/accounts.ts'
import { connectDirectly, type DirectConnection } from '../databases/direct-connection.ts'
import { describeOn, networkKinds, newDatabase } from '../databases/network-databases.ts'
import { manualClock } from '../clocks/manual-clock.ts'
import { startTestServer, type TestServerOptions } from './test-server.ts'
import type { ServerWithAccounts } from './server-with-accounts.ts'
import { memoryDirectory } from '../machine/temporary-directory.ts'

/** The shared resources of several servers: one new database, one data directory. */
export interface Cluster {
  readonly kind: MetadataBackendConfig['driver']
  readonly database: MetadataBackendConfig
  readonly directory: string
  /** One more server with accounts, with a separate clock unless one is given; its admin is signed in. */
  start(options?: TestServerOptions): Promise<ServerWithAccounts>
  /** A direct connection to the database. */
  connect(): Promise<DirectConnection>
}

/**
 * Tests of several servers on one database, once on each kind of it. Everything that a test leaves open is
 * closed.
 */
export function describeCluster(title: string, tests: (newCluster: () => Promise<Cluster>) => void): void {
  describe(`${title} (sqlite3)`, () => {
    tests(
      clusters((directory) =>
        Promise.resolve({ driver: 'sqlite3', connectionString: join(directory, 'svc.db'), fsync: false }),
      ),
    )
  })
  for (const kind of networkKinds) {
    describeOn(kind, title, () => {
      tests(clusters(() => newDatabase(kind)))
    })
  }
}

function clusters(create: (directory: string) => Promise<MetadataBackendConfig>): () => Promise<Cluster> {
  const open: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })
  return async () => {
    const directory = await memoryDirectory()
    open.push(() => rm(directory, { recursive: true }))
    const database = await create(directory)
    return {
      kind: database.driver,
      database,
      directory,
      async start({ config, features, ...options } = {}) {
        const server = await startTestServer({
          clock: manualClock(),
          ...options,
          directory,
          config: { accounts: accountsConfig, metadataBackend: database, ...config },
          features: { feature_authentication: 'enabled', ...features },
        })
        open.push(() => server.close())
        return { ...server, admin: await signIn(server, root) }
      },
      async connect() {
        const connection = await connectDirectly(database)
        open.push(() => connection.close())
        return connection
      },
    }
  }
}
