import type { Service } from '../service.ts'

/** How long an announced file keeps its space free without a byte: whoever announces and sends nothing blocks nobody for long. */
const idleMs = 10 * 60_000

/**
 * Bytes that are announced and have not come: those of files in pieces that move, and those that other processes are
 * receiving, as a whole. What this process receives in one piece it knows better itself.
 */
export function announcedBytes({
  store,
  clock,
  config,
  instance,
}: Pick<Service, 'store' | 'clock' | 'config' | 'instance'>): Promise<number> {
  const since = clock.now() - idleMs
  return store.resumables.announcedBytes({
    but: instance,
    begunSince: since,
    // Each piece puts the end of a file off by so much.
    expireSince: since + config.resumableTTL * 1000,
  })
}
