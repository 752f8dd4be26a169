import type { Configuration } from '@svc/contract'
import type { IdentityProvider } from '@svc/sdk'

export interface ProviderChoice {
  readonly provider: IdentityProvider
  /** The name that the operator configured. */
  readonly name: string
}

/** Identity providers, in the order of their buttons. */
export function identityProviders(configuration: Configuration): readonly ProviderChoice[] {
  const all = [
    { provider: 'idp1', on: configuration.idp1Authentication, name: configuration.idp1Name },
    { provider: 'idp2', on: configuration.idp2Authentication, name: configuration.idp2Name },
    { provider: 'idp3', on: configuration.idp3Authentication, name: configuration.idp3Name },
    { provider: 'oidc', on: configuration.oidcAuthentication, name: configuration.oidcProviderName },
  ] as const
  return all.filter(({ on }) => on).map(({ provider, name }) => ({ provider, name }))
}

/**
 * The address of a provider's consent page from the server.
 * @returns undefined unless it is an http address
 */
export function consentURL(text: string): string | undefined {
  const address = URL.parse(text)
  return address && ['https:', 'http:'].includes(address.protocol) ? address.href : undefined
}
