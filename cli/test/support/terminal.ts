import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Svc } from './svc.ts'

/** Types a text when the terminal shows a pattern of Python. */
export type Answer = readonly [pattern: string, text: string]

export interface TerminalOptions {
  readonly columns?: number
  readonly answers?: readonly Answer[]
  readonly environment?: Readonly<Record<string, string>>
}

export interface Shown {
  readonly status: number | null
  /** What the terminal shows: both outputs, and what is typed. */
  readonly screen: string
}

const script = join(import.meta.dirname, 'terminal.py')

export interface RunningAtTerminal {
  readonly child: ChildProcess
  /** What the terminal shows so far. */
  readonly screen: () => string
  readonly ended: Promise<Shown>
}

/** Starts a program in a pseudo-terminal, in the folder and with the home of an installation. */
export function startAtTerminal(
  { directory, environment: own }: Pick<Svc, 'directory' | 'environment'>,
  program: readonly string[],
  { columns = 80, answers = [], environment = {} }: TerminalOptions = {},
): RunningAtTerminal {
  const child = spawn('python3', [script, String(columns), JSON.stringify(answers), ...program], {
    cwd: directory,
    env: { TERM: 'xterm', ...own, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let screen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text))
  const ended = once(child, 'close').then(([status]) => ({ status: status as number | null, screen }))
  return { child, screen: () => screen, ended }
}

/** Runs the bundle in a pseudo-terminal. */
export const svcAtTerminal = (svc: Svc, args: readonly string[], options?: TerminalOptions): Promise<Shown> =>
  startAtTerminal(svc, [process.execPath, svc.program, ...args], options).ended
