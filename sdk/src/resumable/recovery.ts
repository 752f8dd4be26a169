import { ApiError } from '../errors/api-error.ts'
import type { Connection } from '../http/connection.ts'
import { isTransient, type RetryPolicy } from '../retry/retry-policy.ts'
import type { ResumableFile } from './resumable-file.ts'

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

/** The policy for requests that may be repeated as they are. */
export const retryPolicyOf = (
  { wait, random }: Pick<Connection, 'wait' | 'random'>,
  { retries = 10, signal, onInterruption }: Pick<ResumableFile, 'retries' | 'signal' | 'onInterruption'>,
): RetryPolicy => ({
  retries,
  isRetryable: (error) => recoveryFor(error) === 'again',
  onInterruption,
  signal,
  wait,
  random,
})

/** The server lacks the route, a proxy refuses the method, or the file is a stream. */
export const isUnsupported = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'not_found' ||
    error.code === 'stream_not_declared' ||
    (error.code.startsWith('http_') && error.status >= 400 && error.status < 500 && !isTransient(error)))
