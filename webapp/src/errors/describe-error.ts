import { ApiError } from '@svc/sdk'

/** An error as the page shows it. */
export type ErrorKind = 'gone' | 'unreachable' | 'refused' | 'broken'

export interface ErrorDescription {
  readonly kind: ErrorKind
  /** Stable code of the error, the key of its text. */
  readonly code: string
  /** The server's message in English, shown for codes without a text. */
  readonly message: string
  /** Values for its text. */
  readonly values?: Readonly<Record<string, string>>
  /** Seconds after which the server accepts requests again, if it says so. */
  readonly retryAfter?: number | undefined
}

function kindOf({ code, status }: ApiError): ErrorKind {
  if (code === 'network') return 'unreachable'
  if (status === 404) return 'gone'
  if (status >= 500 || code === 'invalid_response') return 'broken'
  return 'refused'
}

interface OfEncryption {
  readonly code: string
  readonly values?: Readonly<Record<string, string>>
}

/** Recognises errors of the encryption by name, because its classes are loaded on use. */
const isOfEncryption = (error: Error): error is Error & OfEncryption =>
  ['EncryptionError', 'SavingError', 'ManifestError'].includes(error.name) &&
  typeof Reflect.get(error, 'code') === 'string'

export function describeError(error: unknown): ErrorDescription {
  if (error instanceof ApiError) {
    const { code, message, retryAfter } = error
    return { kind: kindOf(error), code, message, retryAfter }
  }
  if (error instanceof Error && isOfEncryption(error)) {
    const { code, message, values = {} } = error
    return { kind: 'refused', code, message, values }
  }
  // The address of the page has no id, or one that was cut: the class is not part of the SDK's interface.
  if (error instanceof Error && error.name === 'InvalidIDError')
    return { kind: 'gone', code: 'incomplete_link', message: error.message }
  return { kind: 'broken', code: 'unknown', message: error instanceof Error ? error.message : String(error) }
}
