import { statusLine } from '../interactive/status-line.ts'
import type { Program } from '../program/program.ts'
import { roughDuration } from './rough-duration.ts'

/** Milliseconds without a byte after which the line of a terminal says so. */
export const stalledMs = 5_000

/** A request whose response has not begun. */
interface Pending {
  readonly host: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

interface Waits {
  readonly pending: Set<Pending>
  /** Ends the watch over the requests. */
  stop: () => void
}

const waits = new WeakMap<Program, Waits>()

/**
 * Shows in a terminal how long a server has not responded, unless the progress of a transfer shows it already.
 * @param host the server
 */
export async function showWait<Result>(
  program: Program,
  host: string,
  response: () => Promise<Result>,
): Promise<Result> {
  const all = waits.get(program) ?? { pending: new Set(), stop: () => undefined }
  waits.set(program, all)
  const request = { host, since: program.clock.now() }
  all.pending.add(request)
  if (all.pending.size === 1) watch(program, all)
  try {
    return await response()
  } finally {
    all.pending.delete(request)
    if (all.pending.size === 0) all.stop()
    if (statusLine(program).shows === 'wait') statusLine(program).erase()
  }
}

function watch(program: Program, all: Waits): void {
  const ended = new AbortController()
  all.stop = () => {
    ended.abort()
  }
  const drawEverySecond = async () => {
    for (;;) {
      await program.clock.sleep(1000, ended.signal)
      draw(program, all.pending)
    }
  }
  // The last response ends it.
  drawEverySecond().catch(() => undefined)
}

function draw(program: Program, pending: ReadonlySet<Pending>): void {
  const line = statusLine(program)
  // The first is the oldest.
  const [oldest] = pending
  if (oldest === undefined || line.shows === 'progress') return
  const waited = program.clock.now() - Math.max(oldest.since, line.lastBytes)
  if (waited >= stalledMs) line.draw('wait', `waiting for ${oldest.host} · ${roughDuration(waited / 1000)}`)
}
