import type { ProvidersConfig } from '../../config/account-config.ts'
import { loginRefused } from '../../domain/errors.ts'
import {
  accountIdIn,
  asciiLowerCase,
  claimsIn,
  claimsListIn,
  emailIn,
  identifierIn,
  labelIn,
} from './id-token-claims.ts'
import type { ProviderOptions } from './code-flow.ts'
import { oauthProvider, type ReadResource } from './oauth.ts'
import type { IdentityProvider } from './provider.ts'
import { subjectOf } from './subject.ts'

/** The largest page size of GitHub, and more pages than any user has organizations. */
const pageSize = 100
const maxPages = 10

/** `idp2`: users are identified by their login, in lower case. */
export function github(
  application: NonNullable<ProvidersConfig['idp2']>,
  options: ProviderOptions,
): IdentityProvider {
  const { validOrganizations } = application
  return oauthProvider(
    application,
    async (read) => {
      const person = claimsIn(await read())
      const login = identifierIn(person, 'login')
      if (validOrganizations.length > 0) await requireOrganization(read, validOrganizations)
      return {
        subject: subjectOf('idp2', login),
        accountId: accountIdIn(person, 'id'),
        login,
        name: labelIn(person, 'name'),
        email: emailIn(person) || (await mainEmail(read)),
      }
    },
    options,
  )
}

/** The primary verified address, for a profile that hides its address. */
async function mainEmail(read: ReadResource): Promise<string> {
  const addresses = await read('/emails')
  // The configured scopes do not include addresses, and a login does not need one.
  if (addresses === null) return ''
  const main = claimsListIn(addresses).find(({ primary, verified }) => primary === true && verified === true)
  return main === undefined ? '' : emailIn(main)
}

/** @throws ServiceError `login_refused` */
async function requireOrganization(read: ReadResource, valid: readonly string[]): Promise<void> {
  const wanted = new Set(valid.map(asciiLowerCase))
  for (let page = 1; page <= maxPages; page++) {
    const query = { per_page: String(pageSize), page: String(page) }
    const organizations = claimsListIn(await read('/orgs', query)).map((organization) =>
      identifierIn(organization, 'login'),
    )
    if (organizations.some((login) => wanted.has(asciiLowerCase(login)))) return
    if (organizations.length < pageSize) break
  }
  throw loginRefused('you are in none of the organizations whose members may sign in here')
}
