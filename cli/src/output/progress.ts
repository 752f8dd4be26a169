import { roughSize } from '@svc/terminal'
import type { Program } from '../program/program.ts'
import { roughDuration } from './rough-duration.ts'

/** Shows the progress of a transfer: as a bar on a terminal, otherwise as a line for each file. */
export interface Progress {
  /** Adds transferred bytes; negative when an attempt restarts. */
  add(bytes: number): void
  /** Prints a line about an event. */
  report(line: string): void
  /** Prints a line even with --quiet. */
  warn(line: string): void
  /** Removes the bar. */
  end(): void
}

export interface ProgressOptions {
  /** Total bytes; undefined when the size of a file is unknown. */
  readonly total: number | undefined
  readonly quiet: boolean
}

const redrawMs = 100
/** Columns of the bar. */
const maxBarWidth = 24
const minBarWidth = 8
/** Milliseconds. Earlier bytes do not count for the speed; a shorter time gives no useful one. */
const speedWindowMs = 3_000

export function createProgress(program: Program, { total, quiet }: ProgressOptions): Progress {
  const { clock, errors } = program
  const drawn = errors.isTTY === true && !quiet && program.environment['TERM'] !== 'dumb'
  const started = clock.now()
  let transferred = 0
  let lastDrawn = 0
  let shown = false
  const samples: { readonly at: number; readonly transferred: number }[] = [{ at: started, transferred: 0 }]

  const erase = () => {
    if (shown) errors.write('\r\x1b[K')
    shown = false
  }
  const speed = (now: number): number => {
    while (samples.length > 2 && (samples[0]?.at ?? 0) < now - speedWindowMs) samples.shift()
    const since = samples[0] ?? { at: started, transferred: 0 }
    return now === since.at ? 0 : ((transferred - since.transferred) / (now - since.at)) * 1000
  }
  const draw = (now: number) => {
    samples.push({ at: now, transferred })
    const width = (errors.columns ?? 80) - 1
    const line = lineOf({ transferred, total, speed: speed(now), width })
    errors.write(`\r${line.slice(0, width)}\x1b[K`)
    shown = true
    lastDrawn = now
  }
  const line = (text: string) => {
    erase()
    program.printToStderr(text)
  }
  return {
    add(bytes) {
      transferred += bytes
      program.onProgress?.(transferred, total)
      if (!drawn) return
      const now = clock.now()
      if (now - lastDrawn >= redrawMs) draw(now)
    },
    report(text) {
      if (!quiet) line(text)
    },
    warn: line,
    end: erase,
  }
}

interface ProgressState {
  readonly transferred: number
  readonly total: number | undefined
  /** Bytes per second. */
  readonly speed: number
  /** Columns. */
  readonly width: number
}

/** A bar, followed by as much text as fits. */
function lineOf({ transferred, total, speed, width }: ProgressState): string {
  const rate = `${roughSize(speed)}/s`
  if (total === undefined || total <= 0) return `${roughSize(transferred)}  ${rate}`
  const part = Math.min(1, transferred / total)
  const percent = `${String(Math.floor(part * 100)).padStart(3)} %`
  const left = speed > 0 ? [`${roughDuration((total - transferred) / speed)} left`] : []
  const words = [percent, `${roughSize(transferred)} of ${roughSize(total)}`, rate, ...left]
  for (; words.length > 0; words.pop()) {
    const text = words.join('  ')
    const columns = Math.min(maxBarWidth, width - text.length - 1)
    if (columns < minBarWidth) continue
    const full = Math.round(part * columns)
    return `${'█'.repeat(full)}${'░'.repeat(columns - full)} ${text}`
  }
  return percent
}
