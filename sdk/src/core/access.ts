import { headers } from '@svc/contract'

/** What a caller shows to get at one upload (specification §5, rules 2 and 7). */
export interface Access {
  readonly uploadToken?: string | undefined
  /** Login and password of a protected upload. */
  readonly credentials?: Credentials | undefined
}

export interface Credentials {
  readonly login: string
  readonly password: string
}

/** The value of an `Authorization` header (RFC 7617, with UTF-8 as the character set). */
function basicAuthorization(credentials: Credentials): string {
  const utf8 = new TextEncoder().encode(`${credentials.login}:${credentials.password}`)
  return `Basic ${btoa(String.fromCharCode(...utf8))}`
}

/** Headers that prove a caller's rights. */
export function accessHeaders(access: Access = {}): Record<string, string> {
  return {
    ...(access.uploadToken !== undefined && { [headers.uploadToken]: access.uploadToken }),
    ...(access.credentials && { authorization: basicAuthorization(access.credentials) }),
  }
}
