import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { DatabaseSpace } from '../core/space/database-space.ts'
import type { DatabaseObserver } from '../metadata/dialects/instrumented.ts'
import type { DatabaseErrorKind } from '../metadata/dialects/errors.ts'

const failures = [
  'conflict',
  'full',
  'read-only',
  'refused',
  'lost',
  'undecided',
  'other',
] as const satisfies readonly DatabaseErrorKind[]

/** Series begin at 0, so that the first failure shows as an increase. */
export function databaseMeters(registry: Registry): DatabaseObserver {
  const registers = [registry]
  const errors = new Counter({
    name: 'svcd_database_errors_total',
    help: 'Statements and transactions that failed after all retries.',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of failures) errors.inc({ kind }, 0)
  const duration = new Histogram({
    name: 'svcd_database_query_duration_seconds',
    help: 'Duration of database statements.',
    buckets: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10],
    registers,
  })
  const connections = new Gauge({
    name: 'svcd_database_connections',
    help: 'Connections in use, and requests that wait for one.',
    labelNames: ['state'],
    registers,
  })
  for (const state of ['used', 'waiting'] as const) connections.set({ state }, 0)
  return {
    statement: () => duration.startTimer(),
    failed: (kind) => errors.inc({ kind }),
    waiting: (change) => connections.inc({ state: 'waiting' }, change),
    inUse: (change) => connections.inc({ state: 'used' }, change),
  }
}

/** Read at each scrape. */
export function fullDatabaseMeter(registry: Registry, space: Pick<DatabaseSpace, 'isFull'>): void {
  new Gauge({
    name: 'svcd_database_full',
    help: '1 while the database has no space for changes.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(space.isFull() ? 1 : 0)
    },
  })
}
