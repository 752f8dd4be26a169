import type { Provider } from '@svc/contract'
import type { ProvidersConfig } from '../../config/account-config.ts'
import type { ProviderOptions } from './code-flow.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import { openIdConnect } from './openid-connect.ts'
import { ovhcloud } from './ovhcloud.ts'
import type { IdentityProvider } from './provider.ts'

/** An external identity provider. */
export type ExternalProvider = Exclude<Provider, 'local'>

/** The names of providers in paths and ids. */
export const externalProviders = [
  'idp1',
  'idp2',
  'idp3',
  'oidc',
] as const satisfies readonly ExternalProvider[]

const defaults: ProviderOptions = { requestTimeout: 10_000 }

/** The configured providers. Before the first login, no request is sent and no library is loaded. */
export function identityProviders(
  { idp1, idp2, idp3, oidc }: ProvidersConfig,
  options: Partial<ProviderOptions> = {},
): Partial<Record<ExternalProvider, IdentityProvider>> {
  const settings = { ...defaults, ...options }
  return {
    ...(idp1 !== null && { idp1: google(idp1, settings) }),
    ...(idp2 !== null && { idp2: github(idp2, settings) }),
    ...(idp3 !== null && { idp3: ovhcloud(idp3, settings) }),
    ...(oidc !== null && { oidc: openIdConnect(oidc, settings) }),
  }
}
