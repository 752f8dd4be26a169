import type { Service } from '../service.ts'

/**
 * How long an announced file reserves space without receiving a byte, so that an idle client does not block others.
 */
const maxIdleMs = 10 * 60_000

/**
 * The bytes that are announced and have not arrived yet: those of active resumable files, and those that other
 * processes receive in one request. This process knows its own single-request uploads better.
 */
export function announcedBytes({
  store,
  clock,
  config,
  instance,
}: Pick<Service, 'store' | 'clock' | 'config' | 'instance'>): Promise<number> {
  const since = clock.now() - maxIdleMs
  return store.resumables.pendingBytes({
    exceptInstance: instance,
    createdSince: since,
    // Each part extends the expiry of a file by this time.
    expireSince: since + config.resumableTTL * 1000,
  })
}
