import { ok, warn, type Finding } from '@svc/terminal'
import type { Config } from '../config/config.ts'
import type { CheckContext } from './base/context.ts'

const about = 'accounts'

/** Checks that users can sign in, and names the keys that have no effect without accounts. */
export function checkAccounts({ config }: CheckContext): readonly Finding[] {
  if (config.features.feature_authentication === 'disabled') return [withoutAccounts(config)]
  const ways = waysToSignIn(config)
  if (ways.length > 0) return [ok(about, `users can sign in with ${listed(ways)}`)]
  return [
    warn(
      about,
      'no one can sign in: FeatureLocalLogin is disabled, and no provider is configured. Only tokens of `svcd token create` work',
    ),
  ]
}

function waysToSignIn({ features, accounts }: Config): readonly string[] {
  const { idp1, idp2, idp3, oidc } = accounts.providers
  return [
    ...(features.feature_local_login === 'disabled' ? [] : ['a password']),
    ...[oidc, idp1, idp2, idp3].flatMap((provider) => (provider === null ? [] : [provider.name])),
  ]
}

function withoutAccounts({ accounts, features }: Config): Finding {
  const { defaultAdmin, providers } = accounts
  const keys = [
    ...(defaultAdmin === null ? [] : ['DefaultAdminLogin']),
    ...(providers.oidc === null ? [] : ['OIDCClientID']),
    ...(providers.idp1 === null ? [] : ['Idp1ApiClientID']),
    ...(providers.idp2 === null ? [] : ['Idp2ApiClientID']),
    ...(providers.idp3 === null ? [] : ['Idp3ApiKey']),
    ...(features.feature_mail === 'disabled' ? [] : ['FeatureMail']),
  ]
  if (keys.length === 0) return ok(about, 'accounts are disabled')
  const [verb, object] = keys.length === 1 ? ['has', 'it'] : ['have', 'them']
  return warn(
    about,
    `${listed(keys)} ${verb} no effect without accounts: set FeatureAuthentication, or remove ${object}`,
  )
}

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const listed = (items: readonly string[]): string => list.format(items)
