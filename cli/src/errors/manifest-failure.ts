import { exitCodes } from './exit-codes.ts'
import { Failure } from './failure.ts'

/** The server has other files than the manifest of an upload, or another manifest than its sender sent. */
export class ManifestFailure extends Failure {
  constructor(message: string, cause?: unknown) {
    super(message, exitCodes.locked, cause)
  }
}
