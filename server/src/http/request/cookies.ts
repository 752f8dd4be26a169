import { parseCookie, stringifySetCookie, type SetCookie } from 'cookie'
import { cookies as names } from '@svc/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import type { NewSession } from '../../core/accounts/sessions.ts'

/** Cookie with the state of a login at a provider. */
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
  setCookie(service, reply, { name: names.session, value: session.token, maxAge, httpOnly: true })
  // The script of the page repeats it in a header.
  setCookie(service, reply, { name: names.xsrf, value: session.xsrf, maxAge })
}

export function clearSessionCookies(service: Pick<Service, 'config'>, reply: FastifyReply): void {
  setCookie(service, reply, { name: names.session, value: '', maxAge: 0, httpOnly: true })
  setCookie(service, reply, { name: names.xsrf, value: '', maxAge: 0 })
}

export const loginInProgress = (request: FastifyRequest): string => cookieOf(request, loginCookie) ?? ''

/** @param lifetime seconds */
export function setLoginInProgress(
  service: Pick<Service, 'config'>,
  reply: FastifyReply,
  state: string,
  lifetime: number,
): void {
  setCookie(service, reply, { name: loginCookie, value: state, maxAge: lifetime, httpOnly: true })
}

export function clearLoginInProgress(service: Pick<Service, 'config'>, reply: FastifyReply): void {
  setCookie(service, reply, { name: loginCookie, value: '', maxAge: 0, httpOnly: true })
}

/** Lax, because a provider redirects the browser from its site. Forms of other sites do not send these cookies. */
function setCookie({ config }: Pick<Service, 'config'>, reply: FastifyReply, cookie: SetCookie): void {
  const path = config.path === '' ? '/' : config.path
  reply.header(
    'set-cookie',
    stringifySetCookie({ ...cookie, path, sameSite: 'lax', secure: config.assumeHTTPS }),
  )
}
