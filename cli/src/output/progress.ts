import { roughSize } from '@svc/terminal'
import { statusLine } from '../interactive/status-line.ts'
import type { Program } from '../program/program.ts'
import { roughDuration } from './rough-duration.ts'
import { stalledMs } from './server-wait.ts'

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
/** Milliseconds in which a few bytes give no useful estimate. */
const firstEstimateMs = 1_000

export function createProgress(program: Program, { total, quiet }: ProgressOptions): Progress {
  const { clock } = program
  const status = statusLine(program)
  const drawn = status.canDraw && !quiet
  const started = clock.now()
  let transferred = 0
  let lastDrawn = 0
  const samples: { readonly at: number; readonly transferred: number }[] = [{ at: started, transferred: 0 }]

  let received = started
  const ended = new AbortController()
  let isWatched = false
  /** From the first bytes on, so that a program that transfers nothing need not end it. */
  const watchForSilence = async () => {
    if (isWatched) return
    isWatched = true
    for (;;) {
      await clock.sleep(1000, ended.signal)
      const now = clock.now()
      if (status.shows === 'progress' && now - received >= stalledMs) draw(now)
    }
  }
  const speed = (now: number): number => {
    while (samples.length > 2 && (samples[0]?.at ?? 0) < now - speedWindowMs) samples.shift()
    const since = samples[0] ?? { at: started, transferred: 0 }
    return now === since.at ? 0 : ((transferred - since.transferred) / (now - since.at)) * 1000
  }
  const draw = (now: number) => {
    samples.push({ at: now, transferred })
    const { width } = status
    const stalled = now - received >= stalledMs ? now - received : undefined
    const hasEstimate = stalled === undefined && now - started >= firstEstimateMs
    status.draw('progress', lineOf({ transferred, total, speed: speed(now), hasEstimate, stalled, width }))
    lastDrawn = now
  }
  const line = (text: string) => {
    status.erase()
    program.printToStderr(text)
  }
  return {
    add(bytes) {
      transferred += bytes
      received = status.lastBytes = clock.now()
      program.onProgress?.(transferred, total)
      if (!drawn) return
      // The end of the transfer ends the wait.
      watchForSilence().catch(() => undefined)
      const now = clock.now()
      if (now - lastDrawn >= redrawMs) draw(now)
    },
    report(text) {
      if (!quiet) line(text)
    },
    warn: line,
    end() {
      ended.abort()
      status.erase()
    },
  }
}

interface ProgressState {
  readonly transferred: number
  readonly total: number | undefined
  /** Bytes per second. */
  readonly speed: number
  /** Whether the speed says when the transfer ends. */
  readonly hasEstimate: boolean
  /** Milliseconds without a byte; undefined while bytes come. */
  readonly stalled: number | undefined
  /** Columns. */
  readonly width: number
}

/** A bar, followed by as much text as fits. */
function lineOf({ transferred, total, speed, hasEstimate, stalled, width }: ProgressState): string {
  const rate =
    stalled === undefined ? `${roughSize(speed)}/s` : `no data for ${roughDuration(stalled / 1000)}`
  if (total === undefined || total <= 0) return `${roughSize(transferred)}  ${rate}`
  const part = Math.min(1, transferred / total)
  const percent = `${String(Math.floor(part * 100)).padStart(3)} %`
  const left = hasEstimate && speed > 0 ? [`${roughDuration((total - transferred) / speed)} left`] : []
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
