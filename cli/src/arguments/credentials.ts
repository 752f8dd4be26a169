/** The login and the password of `[LOGIN:]PASSWORD`. */
export function parseCredentials(written: string): { readonly login?: string; readonly password: string } {
  const colon = written.indexOf(':')
  const password = written.slice(colon + 1)
  return colon > 0 ? { login: written.slice(0, colon), password } : { password }
}
