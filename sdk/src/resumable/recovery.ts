import { ApiError } from '../core/api-error.ts'
import { isTransient } from '../core/retry.ts'

/** Errors of one part: the file resumes once its offset is known. */
const partErrors: ReadonlySet<string> = new Set(['offset_mismatch', 'upload_aborted', 'invalid_answer'])

/** What can be done about a piece that did not come through. */
export function recoveryFor(error: unknown): 'none' | 'override' | 'smaller' | 'again' {
  if (!(error instanceof ApiError)) return 'none'
  const { code } = error
  if (code === 'http_413') return 'smaller'
  if (code === 'http_405' || code === 'http_501') return 'override'
  return partErrors.has(code) || isTransient(error) ? 'again' : 'none'
}

/** There is no such route, something before the server lets no such request pass, or the file is to be streamed. */
export const isUnsupported = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'not_found' ||
    error.code === 'stream_not_declared' ||
    (error.code.startsWith('http_') && error.status >= 400 && error.status < 500 && !isTransient(error)))
