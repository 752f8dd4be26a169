/** What may have gone wrong with a provider, each with a message. */
const known = [
  'login_failed',
  'login_refused',
  'feature_disabled',
  'address_refused',
  'unavailable',
  'too_many_attempts',
] as const

export type CallbackError = (typeof known)[number]

/**
 * The refusal that the server names when a provider sent the browser back. Anybody can make such an address, so that
 * what it says is never shown.
 */
export function callbackError(code: string | undefined): CallbackError | undefined {
  if (code === undefined) return undefined
  return known.find((name) => name === code) ?? 'login_failed'
}
