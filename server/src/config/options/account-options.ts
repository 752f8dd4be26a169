import { boolean, duration, lifetime, list, text } from '../values/value-parsers.ts'
import type { Option } from './option.ts'
import { optionalAddress } from '../values/web-value-parsers.ts'

/** Accounts and the lifetime of sessions. */
export const accounts = {
  SessionTimeoutStr: {
    kind: duration,
    default: '30d',
    help: 'Time after which users have to sign in again.',
  },
  CliTokenTimeoutStr: {
    kind: lifetime(1),
    default: '90d',
    help: 'Time without use after which the token of a command-line login expires.',
  },
  DefaultAdminLogin: {
    kind: text,
    default: '',
    help: 'Login of an admin that the server creates at its start unless the account exists.',
  },
  DefaultAdminPassword: {
    kind: text,
    default: '',
    help: 'Password of that admin. Empty: the server generates one and logs it once.',
    secret: true,
  },
} as const satisfies Record<string, Option<unknown>>

const domains = list(text, 'domains', 'example.org')
const names = list(text, 'names', 'our-team')
const secret = { kind: text, default: '', secret: true } as const

/** Identity providers. A provider is offered when its id and its secret are set. */
export const providers = {
  Idp1ApiClientID: { kind: text, default: '', help: 'Google: client id of the OAuth 2.0 application.' },
  Idp1ApiSecret: { ...secret, help: 'Google: its secret.' },
  Idp1ValidDomains: {
    kind: domains,
    default: [],
    help: 'Google: email domains whose users can sign in. Empty: all.',
  },
  Idp1Name: { kind: text, default: 'Google', help: 'Label of the sign-in button.' },
  Idp1AuthURL: {
    kind: optionalAddress,
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
    help: 'URL of the consent page.',
  },
  Idp1TokenURL: {
    kind: optionalAddress,
    default: 'https://oauth2.googleapis.com/token',
    help: 'URL that exchanges codes for tokens.',
  },
  Idp1UserInfoURL: {
    kind: optionalAddress,
    default: 'https://openidconnect.googleapis.com/v1/userinfo',
    help: 'URL of the user profile.',
  },
  Idp1Scopes: { kind: text, default: 'openid email profile', help: 'Requested scopes.' },

  Idp2ApiClientID: { kind: text, default: '', help: 'GitHub: client id of the OAuth application.' },
  Idp2ApiSecret: { ...secret, help: 'GitHub: its secret.' },
  Idp2ValidOrganizations: {
    kind: names,
    default: [],
    help: 'GitHub: organizations whose members can sign in. Empty: all.',
  },
  Idp2Name: { kind: text, default: 'GitHub', help: 'Label of the sign-in button.' },
  Idp2AuthURL: {
    kind: optionalAddress,
    default: 'https://github.com/login/oauth/authorize',
    help: 'URL of the consent page. For GitHub Enterprise, change the host of this key and the two below.',
  },
  Idp2TokenURL: {
    kind: optionalAddress,
    default: 'https://github.com/login/oauth/access_token',
    help: 'URL that exchanges codes for tokens.',
  },
  Idp2UserInfoURL: {
    kind: optionalAddress,
    default: 'https://api.github.com/user',
    help: 'URL of the user profile; `/emails` and `/orgs` below it are requested, too.',
  },
  Idp2Scopes: { kind: text, default: 'read:user user:email read:org', help: 'Requested scopes.' },

  Idp3ApiKey: { kind: text, default: '', help: 'OVHcloud: client id of the OAuth 2.0 application.' },
  Idp3ApiSecret: { ...secret, help: 'OVHcloud: its secret.' },
  Idp3Name: { kind: text, default: 'OVHcloud', help: 'Label of the sign-in button.' },
  Idp3AuthURL: {
    kind: optionalAddress,
    default: 'https://www.ovh.com/auth/oauth2/authorize',
    help: 'URL of the consent page.',
  },
  Idp3TokenURL: {
    kind: optionalAddress,
    default: 'https://www.ovh.com/auth/oauth2/token',
    help: 'URL that exchanges codes for tokens.',
  },
  Idp3UserInfoURL: {
    kind: optionalAddress,
    default: 'https://eu.api.ovh.com/v1/me',
    help: 'URL of the user profile.',
  },
  Idp3Scopes: { kind: text, default: 'all', help: 'Requested scopes.' },

  OIDCClientID: { kind: text, default: '', help: 'OpenID Connect: client id.' },
  OIDCClientSecret: { ...secret, help: 'OpenID Connect: client secret.' },
  OIDCProviderURL: {
    kind: optionalAddress,
    default: '',
    help: 'OpenID Connect: URL of the issuer; other addresses are discovered.',
  },
  OIDCProviderName: { kind: text, default: 'OpenID', help: 'Label of the sign-in button.' },
  OIDCScopes: { kind: text, default: 'openid email profile', help: 'Requested scopes.' },
  OIDCValidDomains: {
    kind: domains,
    default: [],
    help: 'OpenID Connect: email domains whose users can sign in. Empty: all.',
  },
  OIDCRequireVerifiedEmail: {
    kind: boolean,
    default: true,
    help: 'OpenID Connect: refuse users whose provider has not verified their email address.',
  },
} as const satisfies Record<string, Option<unknown>>
