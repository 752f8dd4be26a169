import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { CleanupReport, CleanupStep, OnProgress } from '../core/cleanup/clean.ts'

/** Runs a cleaning, and counts what became of it. @throws what the cleaning throws */
export type WatchCleaning = (
  cleaning: (onProgress: OnProgress) => Promise<CleanupReport>,
) => Promise<CleanupReport>

const names = {
  expiredUploads: 'expired_uploads',
  removedUploads: 'removed_uploads',
  abandonedFiles: 'abandoned_files',
  deletedFiles: 'deleted_files',
  erasedUploads: 'erased_uploads',
  purgedUploads: 'purged_uploads',
} as const satisfies Readonly<Record<CleanupStep, string>>

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
    help: 'What cleanings ended and deleted, counted while they run.',
    labelNames: ['what'],
    registers,
  })
  for (const what of Object.values(names)) done.inc({ what }, 0)
  const running = new Gauge({
    name: 'svcd_cleaning_running',
    help: '1 while a cleaning runs.',
    registers,
  })
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
    running.inc()
    try {
      const report = await cleaning((step, count) => {
        done.inc({ what: names[step] }, count)
      })
      stop({ result: 'done' })
      last.setToCurrentTime()
      failures.inc(report.failures)
      return report
    } catch (error) {
      stop({ result: 'failed' })
      throw error
    } finally {
      running.dec()
    }
  }
}
