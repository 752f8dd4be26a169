import { ApiError } from '@svc/sdk'
import { isEncryptionError, isInvalidKey } from './encryption-errors.ts'
import { exitCodes, type ExitCode } from './exit-codes.ts'
import { Failure } from './failure.ts'
import { systemCode } from './error-message.ts'

/** The exit status for an error. */
export function exitStatus(error: unknown): ExitCode {
  if (error instanceof Failure) return error.status
  if (error instanceof ApiError) return error.status === 0 ? exitCodes.unreachable : exitCodes.refused
  if (error instanceof Error && error.name === 'AbortError') return exitCodes.interrupted
  // The parser of arguments throws a class that cannot be imported.
  if (error instanceof Error && error.name === 'CLIError') return exitCodes.usage
  if (isEncryptionError(error)) return isInvalidKey(error) ? exitCodes.usage : exitCodes.locked
  return systemCode(error) === undefined ? exitCodes.refused : exitCodes.local
}
