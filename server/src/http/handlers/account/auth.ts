import type { LocalLogin } from '@svc/contract'
import type { ExternalProvider } from '../../../auth/providers/open-providers.ts'
import {
  approveCliLogin,
  describeCliLogin,
  pollCliLogin,
  startCliLogin,
} from '../../../core/accounts/cli-login.ts'
import { checkLocalLogin } from '../../../core/accounts/local-login.ts'
import { beginProviderLogin, endProviderLogin } from '../../../core/accounts/provider-login.ts'
import { openSession } from '../../../core/accounts/sessions.ts'
import type { BudgetKey } from '../../../domain/access/budget-key.ts'
import { featureDisabled } from '../../../domain/errors.ts'
import type { UserRecord } from '../../../domain/records.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { toServiceError } from '../../response/error-response.ts'
import { plainText } from '../../response/reply.ts'
import { applicationBase } from '../../request/base-url.ts'
import type { RequestContext } from '../../steps/chain.ts'
import {
  clearLoginInProgress,
  clearSessionCookies,
  loginInProgress,
  setLoginInProgress,
  setSessionCookies,
} from '../../request/cookies.ts'

type AuthContext = RequestContext & { readonly principal: Principal; readonly address: string }
type UserContext = AuthContext & { readonly user: UserRecord }

export async function localLogin(context: AuthContext) {
  const { service, request, reply, address } = context
  if (service.config.features.feature_local_login === 'disabled') throw featureDisabled('the local login')
  const user = await checkLocalLogin(service, request.body as LocalLogin, address)
  await signIn(context, user)
  return plainText(reply, 'ok')
}

/** Starts a new session for a browser and ends its previous one. */
async function signIn({ service, request, reply, principal, address }: AuthContext, user: UserRecord) {
  if (principal.session !== null) await service.store.sessions.remove(principal.session)
  const browser = { userAgent: request.headers['user-agent'] ?? '', address }
  setSessionCookies(service, reply, await openSession(service, user, browser))
}

export async function logout({ service, reply, principal }: AuthContext) {
  if (principal.session !== null) await service.store.sessions.remove(principal.session)
  clearSessionCookies(service, reply)
  return plainText(reply, 'ok')
}

export const providerLogin = (provider: ExternalProvider) => async (context: AuthContext) => {
  const { service, request, reply } = context
  const callbackURL = `${applicationBase(service, request)}auth/${provider}/callback`
  const {
    consentURL,
    signedAttempt: loginState,
    lifetime,
  } = await beginProviderLogin(service, provider, callbackURL)
  setLoginInProgress(service, reply, loginState, lifetime)
  return plainText(reply, consentURL)
}

/** Always redirects to the login page; an error code is in its URL. */
export const providerCallback = (provider: ExternalProvider) => async (context: AuthContext) => {
  const { service, request, reply, address } = context
  const loginPage = `${service.config.path}/#/login`
  clearLoginInProgress(service, reply)
  try {
    const { search: query } = new URL(request.raw.url ?? '/', 'http://localhost')
    const signedAttempt = loginInProgress(request)
    await signIn(context, await endProviderLogin(service, provider, { query, signedAttempt, address }))
  } catch (error) {
    const serviceError = toServiceError(error)
    const { code, status, message } = serviceError
    if (!service.spaceRefusals.report(serviceError, { provider })) {
      service.log.info({ err: error, provider, code, message }, 'provider login failed')
      if (status >= 500) service.log.error({ err: error }, 'provider unreachable')
    }
    return reply.redirect(`${loginPage}?error=${code}`, 302)
  }
  return reply.redirect(loginPage, 302)
}

export function startCommandLineLogin({
  service,
  request,
  address,
  budgetKey,
}: AuthContext & { readonly budgetKey: BudgetKey | null }) {
  service.budgets.spend(budgetKey, 'cliCodes')

  const { hostname = '' } = request.body as { readonly hostname?: string }
  return startCliLogin(service, { hostname, address }, applicationBase(service, request))
}

export function describeCommandLineLogin({ service, request, user, address }: UserContext) {
  const { code } = request.body as { readonly code: string }
  return describeCliLogin(service, user, code, address)
}

export async function approveCommandLineLogin({ service, request, user, address }: UserContext) {
  const body = request.body as { readonly code: string; readonly comment?: string }
  await approveCliLogin(service, user, body, address)
  return { status: 'approved' }
}

export function pollCommandLineLogin({ service, request, address }: AuthContext) {
  return pollCliLogin(service, request.body as { readonly code: string; readonly secret: string }, address)
}
