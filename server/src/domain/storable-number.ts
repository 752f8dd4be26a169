import { invalidRequest } from './errors.ts'

/**
 * Rejects a number beyond the safe integers, which a database would return with another value.
 * @throws ServiceError `invalid_request`
 */
export function requireSafeInteger(name: string, value: number): void {
  if (!Number.isSafeInteger(value))
    throw invalidRequest(`${name} must be at most ${String(Number.MAX_SAFE_INTEGER)}`)
}
