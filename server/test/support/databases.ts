import { env } from 'node:process'
import { describe, type SuiteFactory } from 'vitest'
import {
  startDatabaseServer,
  whyNot,
  type DatabaseServer,
  type TestServerKind,
} from '../../../scripts/test-servers.ts'
import type { MetadataBackendConfig } from '../../src/config/config.ts'

export { startDatabaseServer, type DatabaseServer, type TestServerKind }

/** Set where every server must be there, so that nothing is skipped. */
const demanded = env['SVC_TEST_SERVERS'] === 'all'

/** Tests on a real database server; where it is not installed they are skipped, and say why. */
export function describeOn(kind: TestServerKind, title: string, tests: SuiteFactory): void {
  const reason = demanded ? null : whyNot(kind)
  if (reason === null) describe(`${title} (${kind})`, tests)
  else describe.skip(`${title} (${kind}): skipped, ${reason}`, tests)
}

export const networkKinds = ['postgres', 'mysql'] as const satisfies readonly TestServerKind[]

/** A new empty database as a server is told of it. */
export const newDatabase = async (
  kind: TestServerKind,
  server: DatabaseServer,
): Promise<MetadataBackendConfig> => ({
  driver: kind,
  connectionString: await server.create(),
  maxConnections: 10,
})
