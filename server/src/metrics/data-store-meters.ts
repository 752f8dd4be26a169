import { Counter, type Registry } from 'prom-client'
import type { StoreFailure, StoreOperation, ObserveStoreFailure } from '../data/instrumented.ts'

const operations = [
  'add',
  'begin',
  'append',
  'finish',
  'abandon',
  'get',
  'remove',
  'ping',
  'freeSpace',
  'list',
  'inspect',
  'quarantine',
] as const satisfies readonly StoreOperation[]
const failures = ['missing', 'full', 'other'] as const satisfies readonly StoreFailure[]

/** Series begin at 0, so that the first failure shows as an increase. */
export function dataStoreMeters(registry: Registry): ObserveStoreFailure {
  const errors = new Counter({
    name: 'svcd_store_errors_total',
    help: 'Failures of the data store, by operation.',
    labelNames: ['operation', 'kind'],
    registers: [registry],
  })
  for (const operation of operations) for (const kind of failures) errors.inc({ operation, kind }, 0)
  return (operation, kind) => {
    errors.inc({ operation, kind })
  }
}
