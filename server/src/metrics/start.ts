import type { Service } from '../core/service.ts'
import { listenForMetrics, type MetricsListener } from './listener.ts'
import type { Meters } from './meters.ts'

/** Loaded where somebody listens to them. */
export const createMeters = async () => (await import('./meters.ts')).createMeters()

/** Lets whoever listens have the figures: the primary, where this process is one of several. */
export async function tellMetrics(
  service: Service,
  meters: Meters | undefined,
  { isWorker }: { readonly isWorker: boolean },
): Promise<MetricsListener | undefined> {
  const { metrics } = service.config
  if (metrics === null || meters === undefined) return undefined
  meters.watchQueues(service)
  meters.watchClock(service.databaseClock)
  meters.watchDatabaseSpace(service.databaseSpace)
  if (isWorker) {
    meters.tellPrimary()
    return undefined
  }
  return listenForMetrics(metrics, { text: meters.text, ready: () => service.readiness.report() })
}
