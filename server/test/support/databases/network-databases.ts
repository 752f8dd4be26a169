import { startDatabaseServer, type DatabaseServer } from '../../../../scripts/test-servers/database.ts'
import type { DatabaseKind } from '../../../../scripts/test-servers/kinds.ts'
import type { MetadataBackendConfig } from '../../../src/config/config.ts'
import { describeOn } from '../describe-on.ts'

export { describeOn, startDatabaseServer, type DatabaseServer }

export const networkKinds = ['postgres', 'mysql'] as const satisfies readonly DatabaseKind[]

/** The configuration of a new empty database. */
export const newDatabase = async (
  kind: DatabaseKind,
  server: DatabaseServer,
): Promise<MetadataBackendConfig> => ({
  driver: kind,
  connectionString: await server.create(),
  maxConnections: 10,
})
