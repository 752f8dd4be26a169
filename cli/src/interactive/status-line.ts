import type { Program } from '../program/program.ts'

/**
 * The line of a terminal that says what a command is doing, and is gone afterwards. The progress of a transfer, the wait for a
 * server and questions share it, so each program has one.
 */
export interface StatusLine {
  /** Whether the standard error is a terminal on which a line can be drawn again. */
  readonly canDraw: boolean
  /** What the line shows; undefined while it is empty. */
  readonly shows: 'progress' | 'wait' | undefined
  /** Columns. */
  readonly width: number
  draw(content: 'progress' | 'wait', text: string): void
  erase(): void
  /** Keeps the line empty during a question. */
  whileEmpty<Result>(question: () => Promise<Result>): Promise<Result>
  /** Milliseconds since the epoch at which bytes of a transfer came last. */
  lastBytes: number
}

const lines = new WeakMap<Program, StatusLine>()

export function statusLine(program: Program): StatusLine {
  const known = lines.get(program)
  if (known !== undefined) return known
  const line = createStatusLine(program)
  lines.set(program, line)
  return line
}

function createStatusLine({ errors, environment }: Program): StatusLine {
  let shows: StatusLine['shows']
  let isAsked = false
  const erase = () => {
    if (shows !== undefined) errors.write('\r\x1b[K')
    shows = undefined
  }
  const width = () => (errors.columns ?? 80) - 1
  return {
    canDraw: errors.isTTY === true && environment['TERM'] !== 'dumb',
    lastBytes: 0,
    get shows() {
      return shows
    },
    get width() {
      return width()
    },
    draw(content, text) {
      if (isAsked) return
      errors.write(`\r${text.slice(0, width())}\x1b[K`)
      shows = content
    },
    erase,
    async whileEmpty(question) {
      erase()
      isAsked = true
      try {
        return await question()
      } finally {
        isAsked = false
      }
    },
  }
}
