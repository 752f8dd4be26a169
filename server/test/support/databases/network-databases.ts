import {
  startDatabaseServer,
  type DatabaseServer,
} from '../../../../scripts/test-servers/databases/database-server.ts'
import type { DatabaseKind } from '../../../../scripts/test-servers/kinds.ts'
import type { MetadataBackendConfig } from '../../../src/config/config.ts'
import { describeOn } from '../describe-on.ts'
import { allocate } from '../servers/shared-servers.ts'

export { describeOn, type DatabaseServer }

export const networkKinds = ['postgres', 'mysql'] as const satisfies readonly DatabaseKind[]

/** A server for tests that stop it, set its options or read its counters, which affects all of its databases. */
export const startOwnServer = (kind: DatabaseKind): Promise<DatabaseServer> =>
  startDatabaseServer(kind, { isInMemory: true })

/**
 * The configuration of a new empty database.
 * @param server the server; the one that all test files share by default
 */
export const newDatabase = async (
  kind: DatabaseKind,
  server?: DatabaseServer,
): Promise<MetadataBackendConfig> => ({
  driver: kind,
  connectionString: await (server === undefined ? allocate(kind) : server.create()),
  maxConnections: 10,
})
