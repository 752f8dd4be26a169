/** The login and the password of `[LOGIN:]PASSWORD`. */
export function parseCredentials(value: string): { readonly login?: string; readonly password: string } {
  const colon = value.indexOf(':')
  const password = value.slice(colon + 1)
  return colon > 0 ? { login: value.slice(0, colon), password } : { password }
}
