import type { NewUserToken, ProfileUpdate } from '@svc/contract'
import { checkCurrentPassword } from '../../../core/accounts/local-login.ts'
import { removeUploadsOf } from '../../../core/removal/remove-upload.ts'
import { endSession, listSessions } from '../../../core/accounts/sessions.ts'
import { createToken, describeToken, revokeToken } from '../../../core/accounts/user-tokens.ts'
import { changePassword, describeUser, removeUser, updateUser } from '../../../core/accounts/users.ts'
import { mayAccessAccount } from '../../../domain/access/account-access.ts'
import * as errors from '../../../domain/errors.ts'
import type { UserRecord } from '../../../domain/records.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { plainText } from '../../response/reply.ts'
import type { RequestContext } from '../../steps/chain.ts'
import { clearSessionCookies } from '../../request/cookies.ts'
import { pageResponse, pageQueryOf, type PageParameters } from '../../request/paging.ts'
import { pathParameter } from '../../request/path-parameters.ts'

type MyContext = RequestContext & {
  readonly user: UserRecord
  readonly principal: Principal
  readonly address: string
}

export const getMe = ({ user }: MyContext) => describeUser(user)

export async function updateMe(context: MyContext) {
  const { service, request, user, principal, address } = context
  const { currentPassword, password, revokeTokens = false, ...profile } = request.body as ProfileUpdate
  if (password !== undefined) {
    if (!mayAccessAccount('change own password', principal, user.id))
      throw errors.notAllowed('change the password of another user here')
    if (user.provider !== 'local')
      throw errors.invalidRequest(`users of ${user.provider} sign in with the provider and have no password`)
    if (currentPassword === undefined) throw errors.invalidRequest('a new password requires currentPassword')
    await checkCurrentPassword(service, user, currentPassword, address)
  }
  if (password === undefined && revokeTokens)
    throw errors.invalidRequest('revokeTokens requires a new password')
  const updated = await updateUser(service, user, profile)
  if (password !== undefined)
    await changePassword(service, user, password, { session: principal.session, revokeTokens })
  return describeUser(updated)
}

export async function removeMe({ service, reply, user, principal }: MyContext) {
  if (service.config.features.feature_delete_account === 'disabled')
    throw errors.featureDisabled('account deletion')
  await removeUser(service, user)
  if (principal.impersonator === null) clearSessionCookies(service, reply)
  return plainText(reply, 'ok')
}

export async function listMyTokens({ service, request, user }: MyContext) {
  const query = pageQueryOf(request.query as PageParameters, 'createdAt')
  const page = await service.store.tokens.page(user.id, query)
  return pageResponse(page, page.results.map(describeToken), 'createdAt')
}

export const createMyToken = ({ service, request, user }: MyContext) =>
  createToken(service, user.id, request.body as NewUserToken)

export async function revokeMyToken({ service, request, reply, user }: MyContext) {
  await revokeToken(service, user.id, pathParameter(request, 'token'))
  return plainText(reply, 'ok')
}

export const listMySessions = ({ service, user, principal }: MyContext) =>
  listSessions(service, user.id, principal.session)

export async function revokeMySession({ service, request, reply, user, principal }: MyContext) {
  const id = pathParameter(request, 'sessionID')
  await endSession(service, user.id, id)
  if (id === principal.session) clearSessionCookies(service, reply)
  return plainText(reply, 'ok')
}

export async function removeMyUploads({ service, reply, user }: MyContext) {
  await removeUploadsOf(service, user.id)
  return plainText(reply, 'ok')
}

export const getMyStats = ({ service, user }: MyContext) => service.store.totals.ofUser(user.id)
