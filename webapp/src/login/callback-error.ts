/** Errors of a login by a provider that have a text. */
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
 * The error code in the address after a login by a provider. Anyone can make such an address, so its text is never shown.
 */
export function callbackError(code: string | undefined): CallbackError | undefined {
  if (code === undefined) return undefined
  return known.find((name) => name === code) ?? 'login_failed'
}
