import { cookies, headers } from '@svc/contract'
import { repeatsXsrf } from '../../auth/session-token.ts'
import { userOfSession } from '../../core/accounts/sessions.ts'
import { userOfToken } from '../../core/accounts/user-tokens.ts'
import * as errors from '../../domain/errors.ts'
import { guest, type Principal } from '../../domain/access/principal.ts'
import type { RequestContext } from '../chain/chain.ts'
import { clearSessionCookies, cookieOf } from '../request/cookies.ts'
import { isSafe } from '../request/methods.ts'

type Identified = { readonly visitor: Principal }

const asGuest: Identified = { visitor: guest }

/** Adds who sent the request, known by a session. One that has ended is refused. */
export const identify = (context: RequestContext): Promise<Identified> | Identified =>
  bySession(context, 'refuse')

/** The same for routes that a guest may use, too: a session that has ended is forgotten. */
export const identifyOrGuest = (context: RequestContext): Promise<Identified> | Identified =>
  bySession(context, 'guest')

/**
 * Adds who sent the request, known by a user token or a session. Who holds an upload's token needs neither: a session that
 * ends in the middle of a long upload does not end the upload.
 */
export const identifyWithToken = (context: RequestContext): Promise<Identified> | Identified => {
  const token = context.request.headers[headers.userToken]
  if (token !== undefined) return byToken(context, token)
  return bySession(context, headers.uploadToken in context.request.headers ? 'guest' : 'refuse')
}

/** The same for downloads, which go on as a guest's when a session has ended. */
export const identifyWithTokenOrGuest = (context: RequestContext): Promise<Identified> | Identified => {
  const token = context.request.headers[headers.userToken]
  return token === undefined ? bySession(context, 'guest') : byToken(context, token)
}

async function byToken({ service }: RequestContext, token: string | string[]): Promise<Identified> {
  if (service.config.features.feature_authentication === 'disabled')
    throw errors.featureDisabled('signing in')
  const { user, id, scopes } = await userOfToken(service, String(token))
  return { visitor: { ...guest, user, token: id, scopes } }
}

function bySession(context: RequestContext, ended: 'refuse' | 'guest'): Promise<Identified> | Identified {
  const { request, service } = context
  if (service.config.features.feature_authentication === 'disabled') return asGuest
  const cookie = cookieOf(request, cookies.session)
  return cookie === undefined || cookie === '' ? asGuest : checkSession(context, cookie, ended)
}

async function checkSession(
  { request, reply, service }: RequestContext,
  cookie: string,
  ended: 'refuse' | 'guest',
): Promise<Identified> {
  const session = await service.sessionTokens.verify(cookie)
  const user = session === null ? null : await userOfSession(service, session.id)
  if (session === null || user === null) {
    clearSessionCookies(service, reply)
    if (ended === 'guest') return asGuest
    throw errors.invalidSession()
  }
  // Headers that a page of another site cannot send without being asked: then the request is our own page's.
  const ownHeader = headers.userToken in request.headers || headers.uploadToken in request.headers
  if (!isSafe(request.method) && !ownHeader && !repeatsXsrf(session, request.headers[headers.xsrfToken]))
    throw errors.invalidXsrf()
  return { visitor: { ...guest, user, session: session.id } }
}
