import { expectedGuest, headers } from '@svc/contract'
import * as errors from '../../domain/errors.ts'
import type { UserRecord } from '../../domain/records.ts'
import { isInScope } from '../../domain/access/access.ts'
import { mayAccessAccount, mayAdminister } from '../../domain/access/account-access.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { RequestContext } from './chain.ts'
import { decodeId } from '../request/decode-id.ts'

type IdentifiedContext = RequestContext & { readonly principal: Principal }

/** Refuses account endpoints when accounts are disabled. */
export function requireAccounts({ service }: RequestContext): object {
  if (service.config.features.feature_authentication === 'disabled')
    throw errors.featureDisabled('signing in')
  return {}
}

/** Adds the signed-in user. */
export function requireUser({ principal }: IdentifiedContext): { readonly user: UserRecord } {
  if (principal.user === null) throw errors.loginRequired()
  return { user: principal.user }
}

/** Refuses an admin who impersonates a user. */
export function refuseImpersonation({
  principal,
  user,
}: IdentifiedContext & { readonly user: UserRecord }): object {
  if (!mayAccessAccount('use sessions and tokens', principal, user.id))
    throw errors.notAllowed('see or change the sessions and tokens of another user')
  return {}
}

/** Refuses to show events to an admin who impersonates a user, and to a token whose scopes do not include downloads. */
export function requireEventsAllowed({
  principal,
}: IdentifiedContext & { readonly user: UserRecord }): object {
  if (principal.impersonator !== null) throw errors.notAllowed('see the events of another user')
  if (!isInScope(principal.scopes, 'see the downloads'))
    throw errors.beyondScopes('see events', principal.scopes)
  return {}
}

/** Refuses an admin who impersonates a user: the message has the name of the user. */
export function refuseMailAsAnother({ principal }: IdentifiedContext): object {
  if (principal.impersonator !== null) throw errors.notAllowed('send email as another user')
  return {}
}

/** Lets only admins pass. */
export function requireAdmin({ principal }: IdentifiedContext): object {
  if (!mayAdminister(principal)) throw errors.notAllowed('do what only admins may')
  return {}
}

/**
 * Refuses a request whose client shows another user than that of the session: cookies belong to all tabs of a browser
 * (docs/protocol.md#authentication).
 * @throws ServiceError `other_user`
 */
export function requireExpectedUser({ request, principal }: IdentifiedContext): object {
  const expected = request.headers[headers.expectedUser]
  if (expected !== undefined && decodeId(String(expected)) !== (principal.user?.id ?? expectedGuest))
    throw errors.otherUser()
  return {}
}
