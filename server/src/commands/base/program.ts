import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../../domain/clock.ts'

interface MaybeTerminal {
  readonly isTTY?: boolean
}

/** The part of the process that commands use. Only `main.ts` accesses the real one. */
export interface Program {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The working directory. */
  readonly directory: string
  readonly clock: Clock
  /** Standard input: passwords, confirmations, imports. */
  readonly input: Readable & MaybeTerminal
  /** Standard output, for streams. */
  readonly output: Writable & MaybeTerminal
  /** Standard error. Prompts go there, so that standard output has only the result. */
  readonly prompts: Writable
  print(line: string): void
  complain(line: string): void
  /** Sets the exit status of the process. */
  fail(status: number): void
  /** Calls back for each signal that asks the process to end. */
  onStopSignal(stop: () => void): void
  /** Calls back for an unhandled rejection, which otherwise ends the process. */
  onUnhandledRejection(report: (reason: unknown) => void): void
  exit(status: number): never
}
