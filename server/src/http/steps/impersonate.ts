import { headers } from '@svc/contract'
import * as errors from '../../domain/errors.ts'
import { mayAccount } from '../../domain/access/account-access.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { findUser } from '../../core/accounts/users.ts'
import type { RequestContext } from '../chain/chain.ts'

type Visited = RequestContext & { readonly visitor: Principal }

/** Lets an admin act as another user (specification §5, rule 5). */
export function impersonate(context: Visited): Promise<{ readonly visitor: Principal }> | object {
  const target = context.request.headers[headers.impersonate]
  return target === undefined ? {} : become(context, String(target))
}

async function become(
  { service, visitor }: Visited,
  target: string,
): Promise<{ readonly visitor: Principal }> {
  if (visitor.user === null) throw errors.loginRequired()
  const userID = decoded(target)
  if (!mayAccount('impersonate', visitor, userID)) throw errors.notAllowed('act as another user')
  const user = await findUser(service, userID)
  return { visitor: { ...visitor, user, impersonator: visitor.user } }
}

/** Ids may have characters that headers cannot: clients write them as in a URL. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
