import { invalidRequest } from './errors.ts'

/**
 * Refuses a number of which its neighbours cannot be told: a database keeps it, but does not give it back.
 * @throws ServiceError `invalid_request`
 */
export function requireSafeInteger(name: string, value: number): void {
  if (!Number.isSafeInteger(value))
    throw invalidRequest(`${name} must be at most ${String(Number.MAX_SAFE_INTEGER)}`)
}
