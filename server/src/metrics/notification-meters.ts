import { Counter, Gauge, type Registry } from 'prom-client'
import type { Service } from '../core/service.ts'

/** The outbox and the streams of events, also those of uploads, read at each scrape. */
export function notificationMeters(
  registry: Registry,
  { notifications, uploadEvents }: Pick<Service, 'notifications' | 'uploadEvents'>,
): void {
  const registers = [registry]
  const sent = new Counter({
    name: 'svcd_notifications_total',
    help: 'Messages of notifications by the result of an attempt, and those that had no room in the outbox.',
    labelNames: ['result'],
    registers,
    collect() {
      sent.reset()
      for (const [result, count] of Object.entries(notifications.outbox.counts())) sent.inc({ result }, count)
    },
  })
  new Gauge({
    name: 'svcd_outbox_overdue_seconds',
    help: 'For how long the first message in the outbox is due; 0 if none is.',
    // All workers read the same outbox.
    aggregator: 'max',
    registers,
    collect() {
      this.set(notifications.outbox.overdueMs() / 1000)
    },
  })
  new Gauge({
    name: 'svcd_event_streams',
    help: 'Open streams of events.',
    registers,
    collect() {
      this.set(notifications.streams.count())
    },
  })
  new Gauge({
    name: 'svcd_upload_event_streams',
    help: 'Open streams of changes of uploads.',
    registers,
    collect() {
      this.set(uploadEvents.count())
    },
  })
}
