import { expectedGuest, headers } from '@svc/contract'
import type { Principal } from '../../domain/access/principal.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { RequestContext } from './chain.ts'
import { decodeId } from './decode-id.ts'

/**
 * Refuses a request whose client shows another user than that of the session: cookies belong to all tabs of a browser
 * (docs/protocol.md#authentication).
 * @throws ServiceError `other_user`
 */
export function requireExpectedUser({
  request,
  principal,
}: RequestContext & { readonly principal: Principal }): object {
  const expected = request.headers[headers.expectedUser]
  if (expected !== undefined && decodeId(String(expected)) !== (principal.user?.id ?? expectedGuest))
    throw new ServiceError(
      'other_user',
      'the session belongs to another user than the client shows: reload it',
    )
  return {}
}
