import { headers } from '@svc/contract'
import { base64 } from './base64.ts'

/** Credentials for one upload or upload request (docs/protocol.md#downloading). */
export interface Access {
  readonly uploadToken?: string | undefined
  /** The token of an upload request, for its owner: it also reads and removes what the request has received. */
  readonly requestToken?: string | undefined
  /** Login and password of a protected upload. */
  readonly credentials?: Credentials | undefined
}

export interface Credentials {
  readonly login: string
  readonly password: string
}

/** The value of an `Authorization` header (RFC 7617, with UTF-8 as the character set). */
const basicAuthorization = ({ login, password }: Credentials): string =>
  `Basic ${base64(`${login}:${password}`)}`

/** Headers that prove a caller's rights. */
export function accessHeaders(access: Access = {}): Record<string, string> {
  return {
    ...(access.uploadToken !== undefined && { [headers.uploadToken]: access.uploadToken }),
    ...(access.requestToken !== undefined && { [headers.requestToken]: access.requestToken }),
    ...(access.credentials && { authorization: basicAuthorization(access.credentials) }),
  }
}
