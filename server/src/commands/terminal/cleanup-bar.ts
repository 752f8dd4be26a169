import type { CleanupStep, OnProgress } from '../../core/cleanup/clean.ts'
import type { Program } from '../base/program.ts'

/** Minimum milliseconds between two updates. */
const redrawMs = 100
const width = 24

/** What the total consists of. */
const inTotal: ReadonlySet<CleanupStep> = new Set(['expiredUploads', 'removedUploads', 'deletedFiles'])

/** Progress of a cleanup, on a terminal only: a bar, items per second, and the time left. */
export interface CleanupBar {
  readonly onProgress: OnProgress
  /** Removes the bar. */
  readonly end: () => void
}

/** @param total expired and removed uploads, and their files whose data is to be deleted */
export function cleanupBar(
  { output, errors, clock }: Pick<Program, 'output' | 'errors' | 'clock'>,
  total: number,
): CleanupBar {
  const isShown = output.isTTY === true && total > 0
  const started = clock.now()
  let last = started
  let done = 0
  return {
    onProgress(step, count) {
      if (!inTotal.has(step)) return
      done += count
      const now = clock.now()
      if (!isShown || now - last < redrawMs) return
      last = now
      errors.write(`\r${formatBar(Math.min(done, total), total, (now - started) / 1000)}\x1b[K`)
    },
    end() {
      if (isShown) errors.write('\r\x1b[K')
    },
  }
}

function formatBar(done: number, total: number, seconds: number): string {
  const full = Math.floor((width * done) / total)
  const speed = done / seconds
  const left = Math.ceil((total - done) / speed)
  const bar = '#'.repeat(full) + '-'.repeat(width - full)
  const percent = Math.floor((100 * done) / total)
  return `[${bar}] ${String(percent)} % · ${String(Math.round(speed))} per second · ${String(left)} s left`
}
