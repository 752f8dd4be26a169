import { Gauge, type Registry } from 'prom-client'
import type { DatabaseClock } from '../core/cluster/database-clock.ts'

/** Read at each scrape. */
export function clockMeters(registry: Registry, clock: Pick<DatabaseClock, 'offset' | 'isTrusted'>): void {
  new Gauge({
    name: 'svcd_clock_offset_seconds',
    help: 'Offset of the machine clock from the database clock; negative when it is behind.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(clock.offset() / 1000)
    },
  })
  new Gauge({
    name: 'svcd_cleaning_suspended',
    help: '1 while cleanup is suspended because the clocks of machine and database differ.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(clock.isTrusted() ? 0 : 1)
    },
  })
}
