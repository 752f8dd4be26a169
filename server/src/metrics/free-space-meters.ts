import { Gauge, type Registry } from 'prom-client'
import type { Service } from '../core/service.ts'

type Place = 'data' | 'database'

/**
 * The free space of the disks that uploads write to, measured at each scrape. Object stores and databases on other
 * machines do not report theirs, and have no series. Workers share the disks, so their values are not added up.
 */
export function freeSpaceMeters(
  registry: Registry,
  { data, rowSpace, config }: Pick<Service, 'data' | 'rowSpace' | 'config'>,
): void {
  const places = [
    { place: 'data', measure: data.freeSpace },
    { place: 'database', measure: rowSpace.freeSpace },
  ] as const satisfies readonly { place: Place; measure: (() => Promise<number>) | undefined }[]
  new Gauge({
    name: 'svcd_free_space_bytes',
    help: 'Free space of the disk of the data directory and of an SQLite database.',
    labelNames: ['place'],
    aggregator: 'min',
    registers: [registry],
    async collect() {
      for (const { place, measure } of places) {
        // A disk that cannot be measured must not hide the other metrics.
        const free = await measure?.().catch(() => undefined)
        if (free === undefined || !Number.isFinite(free)) this.remove({ place })
        else this.set({ place }, free)
      }
    },
  })
  new Gauge({
    name: 'svcd_free_space_reserve_bytes',
    help: 'Free space that uploads do not use (MinFreeSpaceStr).',
    aggregator: 'max',
    registers: [registry],
  }).set(config.minFreeSpace)
}
