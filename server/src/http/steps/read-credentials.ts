import { headers } from '@svc/contract'
import type { Credentials } from '../../core/uploads/authorize.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { RequestContext } from './chain.ts'

/** Adds the credentials of the request, without checking them. */
export function readCredentials({
  request,
  principal,
  address,
}: RequestContext & { readonly principal: Principal; readonly address: string }): {
  readonly credentials: Credentials
} {
  return {
    credentials: {
      uploadToken: textOf(request.headers[headers.uploadToken]),
      requestToken: textOf(request.headers[headers.requestToken]),
      basic: basicCredentials(request.headers.authorization),
      principal,
      address,
    },
  }
}

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)

const basic = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i

/** Login and password of an `Authorization: Basic` header (RFC 7617). */
function basicCredentials(header: string | undefined): Credentials['basic'] {
  const [, encoded] = basic.exec(header ?? '') ?? []
  if (encoded === undefined) return undefined
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon === -1) return undefined
  return { login: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}
