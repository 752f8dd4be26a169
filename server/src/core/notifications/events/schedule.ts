import type { Logger } from 'pino'
import type { Clock } from '../../../domain/clock.ts'
import type { Service } from '../../service.ts'
import { announceExpiringUploads } from './expiring-uploads.ts'
import { announceNearLimits } from './near-limits.ts'

/** The interval at which each instance looks for uploads that expire soon, and for quotas that are nearly full. */
const intervalMs = 5 * 60_000

type Parts = Pick<Service, 'config' | 'notifications'> & {
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  /** The store for long work. */
  readonly store: Service['store']
}

/**
 * Sends the messages of the outbox, and looks for events that no request causes.
 * @returns ends both, and resolves when the current work has ended
 */
export function scheduleNotifications({
  store,
  config,
  clock,
  log,
  notifications,
}: Parts): () => Promise<void> {
  const { outbox, publish } = notifications
  let running = Promise.resolve()
  const announce = async () => {
    try {
      const forServer = config.notifications.webhook !== null
      const announcer = { store, publish, now: clock.now(), forServer }
      await announceExpiringUploads(announcer)
      await announceNearLimits(announcer, config)
      outbox.wake()
    } catch (error) {
      log.warn({ err: error }, 'events could not be published, retrying')
    }
  }
  outbox.start()
  const stop = clock.every(intervalMs, () => {
    running = running.then(announce)
  })
  return async () => {
    stop()
    await running
    await outbox.stop()
    notifications.close()
  }
}
