/** The Prometheus metrics. Loaded only when metrics are enabled. The rest of the service does not depend on them. */
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { version } from '../core/status/describe-version.ts'
import { cleanupMeters } from './cleanup-meters.ts'
import { clockMeters } from './clock-meters.ts'
import { dataStoreMeters } from './data-store-meters.ts'
import { databaseMeters, fullDatabaseMeter } from './database-meters.ts'
import { freeSpaceMeters } from './free-space-meters.ts'
import { notificationMeters } from './notification-meters.ts'
import { queueMeters } from './queue-meters.ts'
import { requestMeters } from './request-meters.ts'
import { verificationMeters } from './verification-meters.ts'

export type Meters = ReturnType<typeof createMeters>

/** @param cleaningInterval in seconds */
export function createMeters(cleaningInterval: number) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'svcd_build_info',
    help: 'Always 1; the labels name the running version.',
    labelNames: ['version'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version }, 1)
  return {
    instrumentRequest: requestMeters(registry),
    watchDataStore: dataStoreMeters(registry),
    database: databaseMeters(registry),
    instrumentCleanup: cleanupMeters(registry, cleaningInterval),
    watchClock: (clock: Parameters<typeof clockMeters>[1]) => {
      clockMeters(registry, clock)
    },
    verification: verificationMeters(registry),
    watchDatabaseSpace: (space: Parameters<typeof fullDatabaseMeter>[1]) => {
      fullDatabaseMeter(registry, space)
    },
    watchFreeSpace: (service: Parameters<typeof freeSpaceMeters>[1]) => {
      freeSpaceMeters(registry, service)
    },
    watchQueues: (service: Parameters<typeof queueMeters>[1]) => queueMeters(registry, service),
    watchNotifications: (service: Parameters<typeof notificationMeters>[1]) => {
      notificationMeters(registry, service)
    },
    /** All metrics in the text format of Prometheus. */
    text: () => registry.metrics(),
    /** Sends the metrics of this worker to the primary on request. */
    reportToPrimary() {
      AggregatorRegistry.setRegistries(registry)
      new AggregatorRegistry()
    },
  }
}
