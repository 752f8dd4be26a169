import type { Readable, Writable } from 'node:stream'

interface MaybeTerminal {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** How the program came here. */
export interface Installed {
  /** `bundle`: one file for Node; `executable`: one that brings Node. */
  readonly kind: 'bundle' | 'executable'
  readonly path: string
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** @throws the signal's reason when it is aborted */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The process that a command runs in, as far as commands need it; `main.ts` alone touches the real one. */
export interface Program {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The working directory. */
  readonly directory: string
  /** The person's own directory. */
  readonly home: string
  readonly platform: NodeJS.Platform
  /** The program itself, for its threads: a path, or an address with all of it. */
  readonly script: string | URL
  /** Where the program lies, which an update replaces. */
  readonly installed: Installed
  readonly clock: Clock
  readonly input: Readable & MaybeTerminal
  readonly output: Writable & MaybeTerminal
  /** Standard error: what is not the answer. People are asked there, too. */
  readonly errors: Writable & MaybeTerminal
  /** Aborted by the first Ctrl-C or SIGTERM. The second one ends the process. */
  readonly interrupted: AbortSignal
  print(line: string): void
  complain(line: string): void
  /** Sets the status with which the process will end. */
  fail(status: number): void
}
