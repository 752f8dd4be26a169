import type { ProvidersConfig } from '../../config/account-config.ts'
import { accountIdIn, claimsIn, emailIn, labelIn } from './id-token-claims.ts'
import type { ProviderOptions } from './code-flow.ts'
import { requireDomain, requireVerified } from './email-rules.ts'
import { oauthProvider } from './oauth.ts'
import { UnusableResponseError } from './provider-error.ts'
import type { IdentityProvider } from './provider.ts'
import { subjectOf } from './subject.ts'

/** `idp1`: users are identified by their verified email address, in lower case. */
export function google(
  application: NonNullable<ProvidersConfig['idp1']>,
  options: ProviderOptions,
): IdentityProvider {
  const { name: provider, validDomains } = application
  return oauthProvider(
    application,
    async (read) => {
      const person = claimsIn(await read())
      const email = subjectOf('idp1', emailIn(person))
      if (email === '') throw new UnusableResponseError('the email address is missing')
      // Older versions of the endpoint use the name `verified_email`.
      const verified = (person['email_verified'] ?? person['verified_email']) === true
      requireVerified({ email, verified }, provider)
      requireDomain({ email, verified }, validDomains, provider)
      // Older versions call `sub` just `id`.
      const accountId = accountIdIn(person, 'sub', 'id')
      return { subject: email, accountId, login: email, name: labelIn(person, 'name'), email }
    },
    options,
  )
}
