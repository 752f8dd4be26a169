import type { NewUser, Provider, UserUpdate } from '@svc/contract'
import { limits } from '@svc/contract'
import { readDailyStats } from '../../../core/stats/daily-stats.ts'
import * as users from '../../../core/accounts/users.ts'
import { notAllowed } from '../../../domain/errors.ts'
import type { UserRecord } from '../../../domain/records.ts'
import { mayAccessAccount } from '../../../domain/access/account-access.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { plainText } from '../../response/reply.ts'
import type { RequestContext } from '../../steps/chain.ts'
import { pageResponse, pageQueryOf, type PageParameters } from '../../request/paging.ts'
import { pathParameter } from '../../request/path-parameters.ts'

type UserContext = RequestContext & { readonly principal: Principal; readonly user: UserRecord }

interface UserParameters {
  readonly provider?: Provider
  readonly admin?: boolean
}

export const createUser = async ({ service, request }: UserContext) =>
  users.describeUser(await users.createUser(service, request.body as NewUser))

export const getUser = async (context: UserContext) => users.describeUser(await requestedUser(context))

/** Fields that only an admin can change (docs/protocol.md#user). */
const adminOnly = ['admin', 'maxFileSize', 'maxUserSize', 'maxTTL', 'password'] as const

export async function updateUser(context: UserContext) {
  const { service, request, principal } = context
  const user = await requestedUser(context)
  const update = request.body as UserUpdate
  const isAllowed = mayAccessAccount('change limits and rights', principal, user.id)
  const refused = isAllowed ? undefined : adminOnly.find((name) => update[name] !== undefined)
  if (refused !== undefined) throw notAllowed(`change ${refused}`)
  return users.describeUser(await users.updateUser(service, user, update))
}

export async function removeUser(context: UserContext) {
  const { service, reply, principal } = context
  const id = pathParameter(context.request, 'userID')
  if (!mayAccessAccount('delete', principal, id))
    throw notAllowed(id === principal.user?.id ? 'delete yourself here: use DELETE /me' : 'delete users')
  await users.removeUser(service, await users.findUser(service, id))
  return plainText(reply, 'ok')
}

/**
 * The user of the path. Admins can access all users, others only themselves: the error does not reveal whether a user
 * exists.
 */
async function requestedUser({ service, request, user, principal }: UserContext): Promise<UserRecord> {
  const id = pathParameter(request, 'userID')
  if (id === user.id) return user
  if (!mayAccessAccount('see', principal, id)) throw notAllowed('see other users')
  return users.findUser(service, id)
}

export async function listUsers({ service, request }: UserContext) {
  const { provider, admin, ...paging } = request.query as UserParameters & PageParameters
  const page = await service.store.users.page({ provider, admin }, pageQueryOf(paging, 'createdAt'))
  return pageResponse(page, page.results.map(users.describeUser), 'createdAt')
}

export async function searchUsers({ service, request }: UserContext) {
  const {
    q,
    limit = limits.searchDefault,
    provider,
    admin,
  } = request.query as UserParameters & {
    readonly q: string
    readonly limit?: number
  }
  return (await service.store.users.search(q, { provider, admin }, limit)).map(users.describeUser)
}

export const getStats = ({ service }: UserContext) => service.store.totals.ofServer()

export const getDailyStats = ({ service, request }: UserContext) =>
  readDailyStats(service, request.query as { readonly from?: string; readonly to?: string })
