import type { CommandProcess } from '@svc/terminal/process'

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
export interface Program extends CommandProcess {
  /** The person's own directory. */
  readonly home: string
  readonly platform: NodeJS.Platform
  /** The program itself, for its threads: a path, or an address with all of it. */
  readonly script: string | URL
  /** Where the program lies, which an update replaces. */
  readonly installed: Installed
  readonly clock: Clock
  /** Aborted by the first Ctrl-C or SIGTERM. The second one ends the process. */
  readonly interrupted: AbortSignal
}
