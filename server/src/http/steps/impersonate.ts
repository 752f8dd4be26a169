import { headers } from '@svc/contract'
import * as errors from '../../domain/errors.ts'
import { mayAccessAccount } from '../../domain/access/account-access.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { findUser } from '../../core/accounts/users.ts'
import type { RequestContext } from './chain.ts'
import { decodeId } from '../request/decode-id.ts'

type IdentifiedContext = RequestContext & { readonly principal: Principal }

/** Lets an admin act as another user (docs/protocol.md#authentication). */
export function impersonate(context: IdentifiedContext): Promise<{ readonly principal: Principal }> | object {
  const target = context.request.headers[headers.impersonate]
  return target === undefined ? {} : impersonateUser(context, String(target))
}

async function impersonateUser(
  { service, principal }: IdentifiedContext,
  target: string,
): Promise<{ readonly principal: Principal }> {
  if (principal.user === null) throw errors.loginRequired()
  const userID = decodeId(target)
  if (!mayAccessAccount('impersonate', principal, userID)) throw errors.notAllowed('act as another user')
  const user = await findUser(service, userID)
  return { principal: { ...principal, user, impersonator: principal.user } }
}
