/**
 * What is measured, for Prometheus. Loaded only where somebody listens: everything else of the service is watched from
 * outside, and knows nothing of it.
 */
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { version } from '../core/status/describe-version.ts'
import { databaseMeters, spaceMeters, storeMeters } from './backend-meters.ts'
import { cleaningMeters } from './cleaning-meters.ts'
import { clockMeters } from './clock-meters.ts'
import { queueMeters } from './queue-meters.ts'
import { requestMeters } from './request-meters.ts'
import { verificationMeters } from './verification-meters.ts'

export type Meters = ReturnType<typeof createMeters>

export function createMeters() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'svcd_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version }, 1)
  return {
    watchRequest: requestMeters(registry),
    watchStore: storeMeters(registry),
    database: databaseMeters(registry),
    watchCleaning: cleaningMeters(registry),
    watchClock: (clock: Parameters<typeof clockMeters>[1]) => {
      clockMeters(registry, clock)
    },
    verification: verificationMeters(registry),
    watchDatabaseSpace: (space: Parameters<typeof spaceMeters>[1]) => {
      spaceMeters(registry, space)
    },
    watchQueues: (service: Parameters<typeof queueMeters>[1]) => queueMeters(registry, service),
    /** All figures in the text format of Prometheus. */
    text: () => registry.metrics(),
    /** Answers the questions of the process that started this one, among others. */
    tellPrimary() {
      AggregatorRegistry.setRegistries(registry)
      new AggregatorRegistry()
    },
  }
}
