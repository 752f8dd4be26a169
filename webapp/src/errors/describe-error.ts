import { ApiError } from '@svc/sdk'

/** What an error means for the person in front of it. */
export type ErrorKind = 'gone' | 'unreachable' | 'refused' | 'broken'

export interface ErrorDescription {
  readonly kind: ErrorKind
  /** Stable name of the refusal; texts are found by it. */
  readonly code: string
  /** The server's own sentence, in English: what is shown when there is no text for the code. */
  readonly message: string
  /** Seconds after which the server listens again, as far as it says so. */
  readonly retryAfter?: number | undefined
}

function kindOf({ code, status }: ApiError): ErrorKind {
  if (code === 'network') return 'unreachable'
  if (status === 404) return 'gone'
  if (status >= 500 || code === 'invalid_answer') return 'broken'
  return 'refused'
}

/** Errors of the encryption, which is fetched on use: they are recognised by their names. */
const isOfEncryption = (error: Error): error is Error & { readonly code: string } =>
  ['EncryptionError', 'SavingError'].includes(error.name) && typeof Reflect.get(error, 'code') === 'string'

export function describeError(error: unknown): ErrorDescription {
  if (error instanceof ApiError) {
    const { code, message, retryAfter } = error
    return { kind: kindOf(error), code, message, retryAfter }
  }
  if (error instanceof Error && isOfEncryption(error)) {
    return { kind: 'refused', code: error.code, message: error.message }
  }
  return { kind: 'broken', code: 'unknown', message: error instanceof Error ? error.message : String(error) }
}
