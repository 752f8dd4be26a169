import { ApiError } from '@svc/sdk'
import { isEncryptionError } from './encryption-errors.ts'
import { exitCodes } from './exit-codes.ts'
import { Failure } from './failure.ts'
import { exitStatus } from './exit-status.ts'
import { errorMessage } from './error-message.ts'

/** The error that replaces the JSON output. `status` is the exit status of the process. */
export const errorJson = (error: unknown) => {
  const status = exitStatus(error)
  return {
    error: { code: knownCode(error) ?? nameOf(status), message: errorMessage(error), status },
    ...(error instanceof Failure && error.details),
  }
}

/** The code of the server or of the encryption. */
function knownCode(error: unknown): string | undefined {
  if (error instanceof ApiError || isEncryptionError(error)) return error.code
  return error instanceof Error ? knownCode(error.cause) : undefined
}

const nameOf = (status: number): string =>
  Object.entries(exitCodes).find(([, code]) => code === status)?.[0] ?? 'refused'
