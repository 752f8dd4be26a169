import { parseCookie, stringifySetCookie, type SetCookie } from 'cookie'
import { cookies as names } from '@svc/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import type { NewSession } from '../../core/accounts/sessions.ts'

/** What a browser keeps while somebody signs in at a provider. */
const loginCookie = 'svc-login'

export type CookieName = (typeof names)[keyof typeof names] | typeof loginCookie

/** The value of a cookie, if the request has it. */
export function cookieOf(request: FastifyRequest, name: CookieName): string | undefined {
  const { cookie } = request.headers
  return cookie?.includes(name) === true ? parseCookie(cookie)[name] : undefined
}

export function setSessionCookies(
  service: Pick<Service, 'config'>,
  reply: FastifyReply,
  session: NewSession,
): void {
  const { lifetime: maxAge } = session
  set(service, reply, { name: names.session, value: session.token, maxAge, httpOnly: true })
  // For the page's script, which repeats it in a header.
  set(service, reply, { name: names.xsrf, value: session.xsrf, maxAge })
}

export function clearSessionCookies(service: Pick<Service, 'config'>, reply: FastifyReply): void {
  set(service, reply, { name: names.session, value: '', maxAge: 0, httpOnly: true })
  set(service, reply, { name: names.xsrf, value: '', maxAge: 0 })
}

export const loginInProgress = (request: FastifyRequest): string => cookieOf(request, loginCookie) ?? ''

/** @param lifetime seconds */
export function setLoginInProgress(
  service: Pick<Service, 'config'>,
  reply: FastifyReply,
  kept: string,
  lifetime: number,
): void {
  set(service, reply, { name: loginCookie, value: kept, maxAge: lifetime, httpOnly: true })
}

export function clearLoginInProgress(service: Pick<Service, 'config'>, reply: FastifyReply): void {
  set(service, reply, { name: loginCookie, value: '', maxAge: 0, httpOnly: true })
}

/** Lax: a provider sends the browser back from its own site. Nobody else's page can send them with a form. */
function set({ config }: Pick<Service, 'config'>, reply: FastifyReply, cookie: SetCookie): void {
  const path = config.path === '' ? '/' : config.path
  reply.header(
    'set-cookie',
    stringifySetCookie({ ...cookie, path, sameSite: 'lax', secure: config.assumeHTTPS }),
  )
}
