import { boolean, duration, lifetime, list, text } from '../values/value-parsers.ts'
import type { Option } from './option.ts'
import { optionalAddress } from '../values/web-value-parsers.ts'

/** Who may sign in, and for how long. */
export const accounts = {
  SessionTimeoutStr: { kind: duration, default: '30d', help: 'Time after which one has to sign in again.' },
  CliTokenTimeoutStr: {
    kind: lifetime(1),
    default: '90d',
    help: 'Time after its last use when the token of a command-line login ends.',
  },
  DefaultAdminLogin: {
    kind: text,
    default: '',
    help: 'Login of an admin that the server creates when it starts and there is none of this name.',
  },
  DefaultAdminPassword: {
    kind: text,
    default: '',
    help: 'Password of that admin. Empty: one is made up, and written to the log once.',
    secret: true,
  },
} as const satisfies Record<string, Option<unknown>>

const domains = list(text, 'domains', 'example.org')
const names = list(text, 'names', 'our-team')
const secret = { kind: text, default: '', secret: true } as const

/** Where people sign in instead of here. A provider is offered when its id and its secret are set. */
export const providers = {
  Idp1ApiClientID: { kind: text, default: '', help: 'Google: client id of the OAuth 2.0 application.' },
  Idp1ApiSecret: { ...secret, help: 'Google: its secret.' },
  Idp1ValidDomains: {
    kind: domains,
    default: [],
    help: 'Google: e-mail domains whose people may sign in. Empty: all.',
  },
  Idp1Name: { kind: text, default: 'Google', help: 'Label of the button.' },
  Idp1AuthURL: {
    kind: optionalAddress,
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
    help: 'Page that asks for consent.',
  },
  Idp1TokenURL: {
    kind: optionalAddress,
    default: 'https://oauth2.googleapis.com/token',
    help: 'Where codes are exchanged for tokens.',
  },
  Idp1UserInfoURL: {
    kind: optionalAddress,
    default: 'https://openidconnect.googleapis.com/v1/userinfo',
    help: 'Where the profile is read.',
  },
  Idp1Scopes: { kind: text, default: 'openid email profile', help: 'Scopes that are asked for.' },

  Idp2ApiClientID: { kind: text, default: '', help: 'GitHub: client id of the OAuth application.' },
  Idp2ApiSecret: { ...secret, help: 'GitHub: its secret.' },
  Idp2ValidOrganizations: {
    kind: names,
    default: [],
    help: 'GitHub: organizations whose members may sign in. Empty: all.',
  },
  Idp2Name: { kind: text, default: 'GitHub', help: 'Label of the button.' },
  Idp2AuthURL: {
    kind: optionalAddress,
    default: 'https://github.com/login/oauth/authorize',
    help: 'Page that asks for consent. Another host for GitHub Enterprise, as the three below.',
  },
  Idp2TokenURL: {
    kind: optionalAddress,
    default: 'https://github.com/login/oauth/access_token',
    help: 'Where codes are exchanged for tokens.',
  },
  Idp2UserInfoURL: {
    kind: optionalAddress,
    default: 'https://api.github.com/user',
    help: 'Where the profile is read; `/emails` and `/orgs` below it are read too.',
  },
  Idp2Scopes: { kind: text, default: 'read:user user:email read:org', help: 'Scopes that are asked for.' },

  Idp3ApiKey: { kind: text, default: '', help: 'OVHcloud: client id of the OAuth 2.0 application.' },
  Idp3ApiSecret: { ...secret, help: 'OVHcloud: its secret.' },
  Idp3Name: { kind: text, default: 'OVHcloud', help: 'Label of the button.' },
  Idp3AuthURL: {
    kind: optionalAddress,
    default: 'https://www.ovh.com/auth/oauth2/authorize',
    help: 'Page that asks for consent.',
  },
  Idp3TokenURL: {
    kind: optionalAddress,
    default: 'https://www.ovh.com/auth/oauth2/token',
    help: 'Where codes are exchanged for tokens.',
  },
  Idp3UserInfoURL: {
    kind: optionalAddress,
    default: 'https://eu.api.ovh.com/v1/me',
    help: 'Where the profile is read.',
  },
  Idp3Scopes: { kind: text, default: 'all', help: 'Scopes that are asked for.' },

  OIDCClientID: { kind: text, default: '', help: 'OpenID Connect: client id.' },
  OIDCClientSecret: { ...secret, help: 'OpenID Connect: client secret.' },
  OIDCProviderURL: {
    kind: optionalAddress,
    default: '',
    help: 'OpenID Connect: issuer address; the rest is discovered.',
  },
  OIDCProviderName: { kind: text, default: 'OpenID', help: 'Label of the button.' },
  OIDCScopes: { kind: text, default: 'openid email profile', help: 'Scopes that are asked for.' },
  OIDCValidDomains: {
    kind: domains,
    default: [],
    help: 'OpenID Connect: e-mail domains whose people may sign in. Empty: all.',
  },
  OIDCRequireVerifiedEmail: {
    kind: boolean,
    default: true,
    help: 'OpenID Connect: refuse people whose provider has not verified their e-mail address.',
  },
} as const satisfies Record<string, Option<unknown>>
