import type { OptionValues } from './options/options.ts'

/** An OAuth 2.0 application at a provider, with the provider's endpoints. */
export interface OAuthApplication {
  readonly clientID: string
  readonly clientSecret: string
  /** Label of its sign-in button. */
  readonly name: string
  readonly authURL: string
  readonly tokenURL: string
  readonly userInfoURL: string
  /** Separated by spaces (RFC 6749 §3.3). */
  readonly scopes: string
}

/** Empty lists of domains and organizations allow everyone. */
export interface ProvidersConfig {
  readonly idp1: null | (OAuthApplication & { readonly validDomains: readonly string[] })
  readonly idp2: null | (OAuthApplication & { readonly validOrganizations: readonly string[] })
  readonly idp3: null | OAuthApplication
  readonly oidc: null | {
    readonly clientID: string
    readonly clientSecret: string
    readonly name: string
    /** The issuer. */
    readonly providerURL: string
    readonly scopes: string
    readonly validDomains: readonly string[]
    readonly requireVerifiedEmail: boolean
  }
}

export interface AccountsConfig {
  /** Seconds. */
  readonly sessionTimeout: number
  /** Seconds without use after which a token of a command-line login ends; -1: never. */
  readonly cliTokenTimeout: number
  /** A null password is generated. */
  readonly defaultAdmin: null | { readonly login: string; readonly password: string | null }
  readonly providers: ProvidersConfig
}

export function accountsOf(values: OptionValues): AccountsConfig {
  return {
    sessionTimeout: values.SessionTimeoutStr,
    cliTokenTimeout: values.CliTokenTimeoutStr,
    defaultAdmin:
      values.DefaultAdminLogin === ''
        ? null
        : {
            login: values.DefaultAdminLogin,
            password: values.DefaultAdminPassword === '' ? null : values.DefaultAdminPassword,
          },
    providers: { idp1: idp1Of(values), idp2: idp2Of(values), idp3: idp3Of(values), oidc: oidcOf(values) },
  }
}

function idp1Of(values: OptionValues): ProvidersConfig['idp1'] {
  if (values.Idp1ApiClientID === '') return null
  return {
    clientID: values.Idp1ApiClientID,
    clientSecret: values.Idp1ApiSecret,
    name: values.Idp1Name,
    authURL: values.Idp1AuthURL,
    tokenURL: values.Idp1TokenURL,
    userInfoURL: values.Idp1UserInfoURL,
    scopes: values.Idp1Scopes,
    validDomains: values.Idp1ValidDomains,
  }
}

function idp2Of(values: OptionValues): ProvidersConfig['idp2'] {
  if (values.Idp2ApiClientID === '') return null
  return {
    clientID: values.Idp2ApiClientID,
    clientSecret: values.Idp2ApiSecret,
    name: values.Idp2Name,
    authURL: values.Idp2AuthURL,
    tokenURL: values.Idp2TokenURL,
    userInfoURL: values.Idp2UserInfoURL,
    scopes: values.Idp2Scopes,
    validOrganizations: values.Idp2ValidOrganizations,
  }
}

function idp3Of(values: OptionValues): ProvidersConfig['idp3'] {
  if (values.Idp3ApiKey === '') return null
  return {
    clientID: values.Idp3ApiKey,
    clientSecret: values.Idp3ApiSecret,
    name: values.Idp3Name,
    authURL: values.Idp3AuthURL,
    tokenURL: values.Idp3TokenURL,
    userInfoURL: values.Idp3UserInfoURL,
    scopes: values.Idp3Scopes,
  }
}

function oidcOf(values: OptionValues): ProvidersConfig['oidc'] {
  if (values.OIDCClientID === '') return null
  return {
    clientID: values.OIDCClientID,
    clientSecret: values.OIDCClientSecret,
    name: values.OIDCProviderName,
    providerURL: values.OIDCProviderURL,
    scopes: values.OIDCScopes,
    validDomains: values.OIDCValidDomains,
    requireVerifiedEmail: values.OIDCRequireVerifiedEmail,
  }
}
