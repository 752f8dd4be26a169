import { Gauge, type Registry } from 'prom-client'
import type { DatabaseClock } from '../core/cluster/database-clock.ts'

/** Looked at when somebody asks. */
export function clockMeters(registry: Registry, clock: Pick<DatabaseClock, 'offset' | 'isTrusted'>): void {
  new Gauge({
    name: 'svcd_clock_offset_seconds',
    help: 'How far the clock of the machine is ahead of that of the database; negative where it is behind.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(clock.offset() / 1000)
    },
  })
  new Gauge({
    name: 'svcd_cleaning_suspended',
    help: '1 while nothing is cleaned here, as the clocks of machine and database do not agree.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(clock.isTrusted() ? 0 : 1)
    },
  })
}
