import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { CleaningReport } from '../core/clean.ts'

/** Runs a cleaning, and counts what became of it. @throws what the cleaning throws */
export type WatchCleaning = (cleaning: () => Promise<CleaningReport>) => Promise<CleaningReport>

export function cleaningMeters(registry: Registry): WatchCleaning {
  const registers = [registry]
  const duration = new Histogram({
    name: 'svcd_cleaning_duration_seconds',
    help: 'Cleanings that are over, and how long they took.',
    labelNames: ['result'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers,
  })
  for (const result of ['done', 'failed'] as const) duration.zero({ result })
  const done = new Counter({
    name: 'svcd_cleaning_done_total',
    help: 'What cleanings ended and deleted.',
    labelNames: ['what'],
    registers,
  })
  for (const what of ['expired_uploads', 'abandoned_files', 'deleted_files'] as const) done.inc({ what }, 0)
  const failures = new Counter({
    name: 'svcd_cleaning_failures_total',
    help: 'Files whose data could not be deleted; the next cleaning tries again.',
    registers,
  })
  const last = new Gauge({
    name: 'svcd_cleaning_last_success_timestamp_seconds',
    help: 'When the last cleaning came to its end; 0 before the first.',
    aggregator: 'max',
    registers,
  })
  return async (cleaning) => {
    const stop = duration.startTimer()
    try {
      const report = await cleaning()
      stop({ result: 'done' })
      last.setToCurrentTime()
      failures.inc(report.failures)
      done.inc({ what: 'expired_uploads' }, report.expiredUploads)
      done.inc({ what: 'abandoned_files' }, report.abandonedFiles)
      done.inc({ what: 'deleted_files' }, report.deletedFiles)
      return report
    } catch (error) {
      stop({ result: 'failed' })
      throw error
    }
  }
}
