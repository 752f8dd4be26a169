import type { CommandProcess } from '@svc/terminal/process'
import type { Clock } from '../../domain/clock.ts'

/** The part of the process that commands use. Only `main.ts` accesses the real one. */
export interface Program extends CommandProcess {
  readonly clock: Clock
  /** Calls back for each signal that asks the process to end. */
  onStopSignal(stop: () => void): void
  /** Calls back for an unhandled rejection, which otherwise ends the process. */
  onUnhandledRejection(report: (reason: unknown) => void): void
  exit(status: number): never
}
