import type { Service } from '../core/service.ts'
import { listenForMetrics, type MetricsListener } from './listener.ts'
import type { Meters } from './meters.ts'

/** Loaded only when metrics are enabled. */
export const createMeters = async (cleaningInterval: number) =>
  (await import('./meters.ts')).createMeters(cleaningInterval)

/** Exposes the metrics: a worker sends them to its primary, a single process listens itself. */
export async function exposeMetrics(
  service: Service,
  meters: Meters | undefined,
  { isWorker }: { readonly isWorker: boolean },
): Promise<MetricsListener | undefined> {
  const { metrics } = service.config
  if (metrics === null || meters === undefined) return undefined
  meters.watchQueues(service)
  meters.watchClock(service.databaseClock)
  meters.watchDatabaseSpace(service.databaseSpace)
  meters.watchFreeSpace(service)
  meters.watchNotifications(service)
  if (isWorker) {
    meters.reportToPrimary()
    return undefined
  }
  return listenForMetrics(metrics, { text: meters.text, ready: () => service.readiness.report() })
}
