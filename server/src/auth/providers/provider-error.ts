import { loginFailed, ServiceError, unavailable } from '../../domain/errors.ts'

/** The provider is unreachable, too slow, or out of order. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  readonly code = 'PROVIDER_UNREACHABLE'
}

/**
 * The response of the provider cannot be used for a login. The message describes the problem without quoting the
 * response.
 */
export class UnusableResponseError extends Error {
  override readonly name = 'UnusableResponseError'
  readonly code = 'PROVIDER_RESPONSE_UNUSABLE'
}

/** An error of the library without its data: codes and tokens must not reach the logs. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
}

const maxCauses = 8

function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < maxCauses; next = next.cause)
    chain.push(next)
  return chain
}

/** OAuth 2.0 error codes are words such as `access_denied`; other values may be user input. */
const oauthCode = /^[a-z_]{1,64}$/

function textOf(error: Error): string {
  // Errors with a code have fixed messages; others quote the invalid input (JSON, header values).
  if (!('code' in error) || typeof error.code !== 'string') return error.name
  const stated = 'error' in error && typeof error.error === 'string' ? error.error : ''
  return [error.message, error.code, ...(oauthCode.test(stated) ? [stated] : [])].join(' · ')
}

/** The stack without the message. */
function framesOf({ stack = '', message }: Error): string {
  const start = stack.indexOf(message)
  return start === -1 ? '' : stack.slice(start + message.length)
}

/** A copy of an error and its causes, without their data. */
function withoutData(error: unknown): ProviderError {
  const links = chainOf(error).map((link) => ({ text: textOf(link), frames: framesOf(link) }))
  const rebuilt = links.reduceRight<ProviderError | undefined>((cause, { text, frames }) => {
    const link = new ProviderError(text, cause === undefined ? {} : { cause })
    link.stack = `${link.name}: ${text}${frames}`
    return link
  }, undefined)
  return rebuilt ?? new ProviderError('a value that is not an error was thrown')
}

/**
 * The error for a failed login.
 * @param provider its name, for the message
 * @returns a ServiceError unchanged; `unavailable` when the provider could not be reached; otherwise `login_failed`
 */
export function loginError(provider: string, error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const unreachable = chainOf(error).some((link) => link instanceof UnreachableError)
  return unreachable ? unavailable(provider, withoutData(error)) : loginFailed(withoutData(error))
}

/** The error for a login that could not start: only the provider can be the cause. */
export const startError = (provider: string, error: unknown): ServiceError =>
  error instanceof ServiceError ? error : unavailable(provider, withoutData(error))
