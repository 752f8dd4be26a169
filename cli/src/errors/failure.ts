import { exitCodes, type ExitCode } from './exit-codes.ts'

/** An error of a command, with a message for users. `status` is the exit status of the process. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly status: ExitCode
  /** Further fields of the JSON output. */
  readonly details: object

  constructor(message: string, status: ExitCode = exitCodes.refused, cause?: unknown, details: object = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.details = details
  }
}

/** An error of the command line. */
export const usageFailure = (message: string, cause?: unknown) => new Failure(message, exitCodes.usage, cause)

/** An error of a local file. */
export const localFailure = (message: string, cause?: unknown) => new Failure(message, exitCodes.local, cause)
