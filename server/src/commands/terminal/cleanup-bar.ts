import type { OnProgress } from '../../core/cleanup/clean.ts'
import type { Program } from '../base/program.ts'

/** Milliseconds between two drawings. */
const redrawMs = 100
const width = 24

/** Shows how far a cleaning is, on a terminal only: a bar, what was done each second, and the time left. */
export interface CleaningBar {
  readonly onProgress: OnProgress
  /** Takes the bar away. */
  readonly end: () => void
}

/** @param total uploads that have expired or are marked, and files whose data is to be deleted with them */
export function cleaningBar(
  { output, prompts, clock }: Pick<Program, 'output' | 'prompts' | 'clock'>,
  total: number,
): CleaningBar {
  const drawn = output.isTTY === true && total > 0
  const started = clock.now()
  let last = started
  let done = 0
  return {
    onProgress(step, count) {
      if (step === 'erasedUploads' || step === 'purgedUploads' || step === 'abandonedFiles') return
      done += count
      const now = clock.now()
      if (!drawn || now - last < redrawMs) return
      last = now
      prompts.write(`\r${lineOf(Math.min(done, total), total, (now - started) / 1000)}\x1b[K`)
    },
    end() {
      if (drawn) prompts.write('\r\x1b[K')
    },
  }
}

function lineOf(done: number, total: number, seconds: number): string {
  const full = Math.floor((width * done) / total)
  const speed = done / seconds
  const left = Math.ceil((total - done) / speed)
  const bar = '#'.repeat(full) + '-'.repeat(width - full)
  const percent = Math.floor((100 * done) / total)
  return `[${bar}] ${String(percent)} % · ${String(Math.round(speed))} per second · ${String(left)} s left`
}
