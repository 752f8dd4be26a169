import type { ProviderOptions } from '../../../src/auth/providers/code-flow.ts'
import { identityProviders, type ExternalProvider } from '../../../src/auth/providers/open-providers.ts'
import type { IdentityProvider, LoginAttempt } from '../../../src/auth/providers/provider.ts'
import { ServiceError } from '../../../src/domain/errors.ts'
import type { Applications, TestIdentityProvider } from '../../support/identity-provider/identity-provider.ts'

export const externalProviders = [
  'idp1',
  'idp2',
  'idp3',
  'oidc',
] as const satisfies readonly ExternalProvider[]

/**
 * One provider, as on a server without others.
 * @param changes changes to its configuration
 */
export function openProvider<Name extends ExternalProvider>(
  idp: TestIdentityProvider,
  name: Name,
  changes: Partial<Applications[Name]> = {},
  options: Partial<ProviderOptions> = {},
): IdentityProvider {
  const none = { idp1: null, idp2: null, idp3: null, oidc: null }
  const application = { ...idp.applications[name], ...changes }
  const opened = identityProviders({ ...none, [name]: application }, options)[name]
  if (opened === undefined) throw new Error(`${name} was not opened`)
  return opened
}

/** The callback address of browsers; nothing listens there. */
export const callbackURL = 'http://127.0.0.1:9/auth/callback'

export interface ReturnedLogin {
  readonly returned: URL
  readonly attempt: LoginAttempt
}

/** A login until the browser returns. */
export async function returnFrom(
  idp: TestIdentityProvider,
  provider: IdentityProvider,
  login: string,
): Promise<ReturnedLogin> {
  const { consentURL, attempt } = await provider.begin(callbackURL)
  return { returned: await idp.signIn(consentURL, login), attempt }
}

/** A complete login. */
export async function logIn(idp: TestIdentityProvider, provider: IdentityProvider, login: string) {
  const { returned, attempt } = await returnFrom(idp, provider, login)
  return provider.finish(returned, attempt)
}

/**
 * The error that a login ends with.
 * @throws when it succeeds, or fails in another way
 */
export async function loginError(step: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await step.then(
    (result) => new Error(`not refused: ${JSON.stringify(result)}`),
    (reason: unknown) => reason,
  )
  if (error instanceof ServiceError) return error
  throw error
}

/** Its code, which is the contract. */
export const loginErrorCode = async (step: Promise<unknown>) => (await loginError(step)).code

/** The same address with another parameter, or without it. */
export function withParameter(address: URL, name: string, value: string | null): URL {
  const changed = new URL(address)
  if (value === null) changed.searchParams.delete(name)
  else changed.searchParams.set(name, value)
  return changed
}
