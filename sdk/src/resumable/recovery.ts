import { ApiError } from '../errors/api-error.ts'
import { isTransient } from '../retry/retry-policy.ts'

/** Errors of one part: the file resumes once its offset is known. */
const partErrors: ReadonlySet<string> = new Set(['offset_mismatch', 'upload_aborted', 'invalid_response'])

/** The recovery from the failure of a part. */
export function recoveryFor(error: unknown): 'none' | 'override' | 'smaller' | 'again' {
  if (!(error instanceof ApiError)) return 'none'
  const { code } = error
  if (code === 'http_413') return 'smaller'
  if (code === 'http_405' || code === 'http_501') return 'override'
  return partErrors.has(code) || isTransient(error) ? 'again' : 'none'
}

/** The server lacks the route, a proxy refuses the method, or the file is a stream. */
export const isUnsupported = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'not_found' ||
    error.code === 'stream_not_declared' ||
    (error.code.startsWith('http_') && error.status >= 400 && error.status < 500 && !isTransient(error)))
