import { exitCodes, type ExitCode } from './exit-codes.ts'

/** A command that cannot continue, with a message for people. `status` is what the process ends with. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly status: ExitCode

  constructor(message: string, status: ExitCode = exitCodes.refused, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
  }
}

/** The command line asks for something that the command does not offer. */
export const usageFailure = (message: string, cause?: unknown) => new Failure(message, exitCodes.usage, cause)

/** Something about a file of this machine. */
export const localFailure = (message: string, cause?: unknown) => new Failure(message, exitCodes.local, cause)
