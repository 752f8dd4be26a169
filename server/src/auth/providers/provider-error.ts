import { loginFailed, ServiceError, unavailable } from '../../domain/errors.ts'

/** The provider cannot be reached, takes too long or is out of order. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  readonly code = 'PROVIDER_UNREACHABLE'
}

/** The provider answered something that no login can be made of. The message says what, and quotes nothing. */
export class UnusableAnswerError extends Error {
  override readonly name = 'UnusableAnswerError'
  readonly code = 'PROVIDER_ANSWER_UNUSABLE'
}

/** What is kept of an error of the library: its errors carry codes and tokens, and this one is written to logs. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
}

const longestChain = 8

function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < longestChain; next = next.cause)
    chain.push(next)
  return chain
}

/** Error codes of OAuth 2.0 are words such as `access_denied`; anything else may be whatever a stranger typed. */
const oauthCode = /^[a-z_]{1,64}$/

function textOf(error: Error): string {
  // Errors with a code have fixed sentences; those without quote what they stumbled over (JSON, header values).
  if (!('code' in error) || typeof error.code !== 'string') return error.name
  const stated = 'error' in error && typeof error.error === 'string' ? error.error : ''
  return [error.message, error.code, ...(oauthCode.test(stated) ? [stated] : [])].join(' · ')
}

/** Where it happened: the part of the stack after the message. */
function framesOf({ stack = '', message }: Error): string {
  const start = stack.indexOf(message)
  return start === -1 ? '' : stack.slice(start + message.length)
}

/** An error and its causes, without the data that they carry. */
function withoutData(error: unknown): ProviderError {
  const kept = chainOf(error).map((link) => ({ text: textOf(link), frames: framesOf(link) }))
  const rebuilt = kept.reduceRight<ProviderError | undefined>((cause, { text, frames }) => {
    const link = new ProviderError(text, cause === undefined ? {} : { cause })
    link.stack = `${link.name}: ${text}${frames}`
    return link
  }, undefined)
  return rebuilt ?? new ProviderError('something that is no error was thrown')
}

/**
 * What a login that broke off ends as.
 * @param provider its name, for the reader of the message
 * @returns a refusal as it is; `unavailable` when the provider could not be reached; else `login_failed`
 */
export function refusalOf(provider: string, error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const unreachable = chainOf(error).some((link) => link instanceof UnreachableError)
  return unreachable ? unavailable(provider, withoutData(error)) : loginFailed(withoutData(error))
}

/** What a login that could not even begin ends as: all that it needs is the provider. */
export const notBegun = (provider: string, error: unknown): ServiceError =>
  error instanceof ServiceError ? error : unavailable(provider, withoutData(error))
