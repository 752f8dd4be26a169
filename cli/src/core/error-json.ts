import { ApiError } from '@svc/sdk'
import { isEncryptionError } from './encryption-errors.ts'
import { exitCodes } from './exit-codes.ts'
import { exitStatus } from './exit-status.ts'
import { errorMessage } from './error-message.ts'

/** Why there is no answer, as it stands in its place for scripts. `status` is the one that the process ends with. */
export const errorJson = (error: unknown) => {
  const status = exitStatus(error)
  return { error: { code: knownCode(error) ?? nameOf(status), message: errorMessage(error), status } }
}

/** The code of the server or of the encryption, whichever is behind it. */
function knownCode(error: unknown): string | undefined {
  if (error instanceof ApiError || isEncryptionError(error)) return error.code
  return error instanceof Error ? knownCode(error.cause) : undefined
}

const nameOf = (status: number): string =>
  Object.entries(exitCodes).find(([, code]) => code === status)?.[0] ?? 'refused'
