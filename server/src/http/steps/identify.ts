import { cookies, headers } from '@svc/contract'
import { matchesXsrf } from '../../auth/session-token.ts'
import { userOfSession } from '../../core/accounts/sessions.ts'
import { userOfToken } from '../../core/accounts/user-tokens.ts'
import * as errors from '../../domain/errors.ts'
import { guest, type Principal } from '../../domain/access/principal.ts'
import type { RequestContext } from './chain.ts'
import { clearSessionCookies, cookieOf } from '../request/cookies.ts'
import { isSafe } from '../request/safe-methods.ts'

type Identified = { readonly principal: Principal }

const asGuest: Identified = { principal: guest }

/** Adds the principal of the session. Refuses an expired session. */
export const identify = (context: RequestContext): Promise<Identified> | Identified =>
  identifyBySession(context, 'refuse')

/** Adds the principal of the session. An expired session counts as a guest. */
export const identifyOrGuest = (context: RequestContext): Promise<Identified> | Identified =>
  identifyBySession(context, 'guest')

/**
 * Adds the principal of a user token or a session. With a token of an upload or a request, an expired session counts as a guest, so that
 * it does not end a long upload.
 */
export const identifyWithToken = (context: RequestContext): Promise<Identified> | Identified => {
  const token = context.request.headers[headers.userToken]
  if (token !== undefined) return identifyByToken(context, token)
  return identifyBySession(context, hasToken(context.request.headers) ? 'guest' : 'refuse')
}

/** Adds the principal of a user token or a session. An expired session counts as a guest. */
export const identifyWithTokenOrGuest = (context: RequestContext): Promise<Identified> | Identified => {
  const token = context.request.headers[headers.userToken]
  return token === undefined ? identifyBySession(context, 'guest') : identifyByToken(context, token)
}

/** Whether a request has the token of an upload or of an upload request. */
const hasToken = (requestHeaders: object): boolean =>
  headers.uploadToken in requestHeaders || headers.requestToken in requestHeaders

async function identifyByToken({ service }: RequestContext, token: string | string[]): Promise<Identified> {
  if (service.config.features.feature_authentication === 'disabled')
    throw errors.featureDisabled('signing in')
  const { user, id, scopes } = await userOfToken(service, String(token))
  return { principal: { ...guest, user, token: id, scopes } }
}

function identifyBySession(
  context: RequestContext,
  ifExpired: 'refuse' | 'guest',
): Promise<Identified> | Identified {
  const { request, service } = context
  if (service.config.features.feature_authentication === 'disabled') return asGuest
  const cookie = cookieOf(request, cookies.session)
  return cookie === undefined || cookie === '' ? asGuest : checkSession(context, cookie, ifExpired)
}

async function checkSession(
  { request, reply, service }: RequestContext,
  cookie: string,
  ifExpired: 'refuse' | 'guest',
): Promise<Identified> {
  const session = await service.sessionTokens.verify(cookie)
  const user = session === null ? null : await userOfSession(service, session.id)
  if (session === null || user === null) {
    clearSessionCookies(service, reply)
    if (ifExpired === 'guest') return asGuest
    throw errors.invalidSession()
  }
  // Pages of other sites cannot send these headers without a preflight, so the request is from the web application.
  const hasTokenHeader = headers.userToken in request.headers || hasToken(request.headers)
  if (!isSafe(request.method) && !hasTokenHeader && !matchesXsrf(session, request.headers[headers.xsrfToken]))
    throw errors.invalidXsrf()
  return { principal: { ...guest, user, session: session.id } }
}
