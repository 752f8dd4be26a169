import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { CleanupReport, CleanupStep, OnProgress } from '../core/cleanup/clean.ts'

/**
 * Runs a cleanup and records its result.
 * @throws the errors of the cleanup
 */
export type InstrumentCleanup = (
  cleanup: (onProgress: OnProgress) => Promise<CleanupReport>,
) => Promise<CleanupReport>

const labelOf = {
  expiredUploads: 'expired_uploads',
  removedUploads: 'removed_uploads',
  abandonedFiles: 'abandoned_files',
  unfinishedFiles: 'unfinished_files',
  deletedFiles: 'deleted_files',
  blankedUploads: 'erased_uploads',
  purgedUploads: 'purged_uploads',
} as const satisfies Readonly<Record<CleanupStep, string>>

/** @param interval seconds between cleanups */
export function cleanupMeters(registry: Registry, interval: number): InstrumentCleanup {
  const registers = [registry]
  const duration = new Histogram({
    name: 'svcd_cleaning_duration_seconds',
    help: 'Duration of finished cleanups.',
    labelNames: ['result'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers,
  })
  for (const result of ['done', 'failed'] as const) duration.zero({ result })
  const done = new Counter({
    name: 'svcd_cleaning_done_total',
    help: 'Items that cleanups expired or deleted, counted while they run.',
    labelNames: ['what'],
    registers,
  })
  for (const what of Object.values(labelOf)) done.inc({ what }, 0)
  const running = new Gauge({
    name: 'svcd_cleaning_running',
    help: '1 while a cleanup runs.',
    registers,
  })
  const failures = new Counter({
    name: 'svcd_cleaning_failures_total',
    help: 'Files whose data could not be deleted; the next cleanup retries.',
    registers,
  })
  const last = new Gauge({
    name: 'svcd_cleaning_last_success_timestamp_seconds',
    help: 'Time of the last successful cleanup; 0 before the first.',
    aggregator: 'max',
    registers,
  })
  new Gauge({
    name: 'svcd_cleaning_interval_seconds',
    help: 'The configured time between two cleanups (CleaningIntervalStr).',
    aggregator: 'first',
    registers,
  }).set(interval)
  return async (cleanup) => {
    const stop = duration.startTimer()
    running.inc()
    try {
      const report = await cleanup((step, count) => {
        done.inc({ what: labelOf[step] }, count)
      })
      stop({ result: 'done' })
      last.setToCurrentTime()
      failures.inc(report.failedDeletions)
      return report
    } catch (error) {
      stop({ result: 'failed' })
      throw error
    } finally {
      running.dec()
    }
  }
}
