import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../../domain/clock.ts'

interface MaybeTerminal {
  readonly isTTY?: boolean
}

/** The process that a command runs in, as far as commands need it; `main.ts` alone touches the real one. */
export interface Program {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The working directory. */
  readonly directory: string
  readonly clock: Clock
  /** Standard input: passwords, answers, imports. */
  readonly input: Readable & MaybeTerminal
  /** Standard output, for what is written as it comes. */
  readonly output: Writable & MaybeTerminal
  /** Standard error. A person is asked there, so that the output is the answer and nothing else. */
  readonly prompts: Writable
  print(line: string): void
  complain(line: string): void
  /** Sets the status with which the process will end. */
  fail(status: number): void
  /** Calls back for each signal that asks the process to end. */
  onStopSignal(stop: () => void): void
  /** Calls back for the failure of a promise that nobody waits for; otherwise it ends the process. */
  onStrayFailure(tell: (reason: unknown) => void): void
  exit(status: number): never
}
