import { providers, type Provider } from '@svc/contract'

/**
 * The login in the id of a user, as in `local:ada`. That of an identity provider is followed by the name of the provider, because
 * several may have a user of the same login.
 */
export function ownerName(userID: string, providerName: (provider: Provider) => string): string {
  const provider = providers.find((candidate) => userID.startsWith(`${candidate}:`))
  if (provider === undefined) return userID
  const login = userID.slice(provider.length + 1)
  return provider === 'local' ? login : `${login} (${providerName(provider)})`
}
