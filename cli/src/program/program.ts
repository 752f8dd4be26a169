import type { CommandProcess } from '@svc/terminal/process'

/** The kind of installation. */
export interface Installed {
  /** `bundle`: one file for Node; `executable`: one that contains Node. */
  readonly kind: 'bundle' | 'executable'
  readonly path: string
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** @throws the signal's reason when it is aborted */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The process of a command, as commands see it. Only `main.ts` uses the real one. */
export interface Program extends CommandProcess {
  /** The user's home directory. */
  readonly home: string
  readonly platform: NodeJS.Platform
  /** The program, for its threads: a path, or a `data:` address with its source. */
  readonly script: string | URL
  /** Path of the program, which an update replaces. */
  readonly installed: Installed
  readonly clock: Clock
  /** Aborted by the first Ctrl-C or SIGTERM. The second one ends the process. */
  readonly interrupted: AbortSignal
  /** Whether an interrupted upload is removed, because no other run will resume it. */
  readonly discardsInterrupted?: boolean
  /**
   * Called with the progress of a transfer.
   * @param transferred bytes so far
   */
  readonly onProgress?: ((transferred: number, total: number | undefined) => void) | undefined
}
