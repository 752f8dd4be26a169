import type { OAuthApplication } from '../../config/account-config.ts'
import { accountIdIn, claimsIn, emailIn, identifierIn, labelIn, displayText } from './id-token-claims.ts'
import type { ProviderOptions } from './code-flow.ts'
import { oauthProvider } from './oauth.ts'
import type { IdentityProvider } from './provider.ts'

/** `idp3`: users are identified by their customer code, or else by their handle. */
export function ovhcloud(application: OAuthApplication, options: ProviderOptions): IdentityProvider {
  return oauthProvider(
    application,
    async (read) => {
      const person = claimsIn(await read())
      const subject = identifierIn(person, 'customerCode', 'nichandle')
      return {
        subject,
        accountId: accountIdIn(person, 'nichandle'),
        login: labelIn(person, 'nichandle') || subject,
        name: displayText(`${labelIn(person, 'firstname')} ${labelIn(person, 'name')}`),
        email: emailIn(person),
      }
    },
    options,
  )
}
