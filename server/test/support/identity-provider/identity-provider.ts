import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider'
import type { ProvidersConfig } from '../../../src/config/account-config.ts'
import { submitConsent } from './browser.ts'
import { consentPage, githubTokens, plannedResponses, profilePages, type PlannedResponse } from './pages.ts'
import { claimsOf, subjectOf, type Person } from './people.ts'
import { providerRecords } from './records.ts'

export type { PlannedResponse as Answer, Person }

export type Applications = { readonly [Name in keyof ProvidersConfig]: NonNullable<ProvidersConfig[Name]> }

type Claims = Readonly<Record<string, unknown>>

export interface SeenRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** A real provider on loopback, which is Google, GitHub, OVHcloud and an OpenID Connect provider at once. */
export interface TestIdentityProvider {
  readonly issuer: string
  /** The server configuration for it, which allows every user to sign in; spread one to add rules. */
  readonly applications: Applications
  /** Every request so far, including those of browsers. */
  readonly requests: readonly SeenRequest[]
  /** Adds a user, or changes one. */
  put(person: Person): void
  /** Replaces the responses at a path from now on, or restores the true ones. */
  respond(path: string, response: PlannedResponse | null): void
  /**
   * An id token that the provider signs, true or not.
   * @param key another one than the provider's
   */
  signIdToken(claims: Claims, key?: ReturnType<typeof newKey>): Promise<string>
  /**
   * Passes the consent page as a user.
   * @returns the address of the redirect, not opened
   */
  signIn(consentURL: string, login: string): Promise<URL>
  /**
   * Denies consent.
   * @returns the address of the redirect, not opened
   */
  cancel(consentURL: string): Promise<URL>
  stop(): Promise<void>
}

export interface IdentityProviderOptions {
  readonly people?: readonly Person[]
  /** 0 for any free one. */
  readonly port?: number
}

export const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

let madeKey: ReturnType<typeof newKey> | undefined
/** One key for all providers of a process: generating one takes longer than a login. */
const usualKey = () => (madeKey ??= newKey())

const keyId = 'signing'
const loopback = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?\//

/** Starts it on loopback. Any callback address on loopback is a registered one. */
export async function startIdentityProvider({
  people: initialPeople = [],
  port = 0,
}: IdentityProviderOptions = {}): Promise<TestIdentityProvider> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`

  const people = new Map(initialPeople.map((person) => [person.login, person]))
  const responses = new Map<string, PlannedResponse>()
  const requests: SeenRequest[] = []
  const applications = applicationsAt(issuer)
  const key = usualKey()
  const provider = new Provider(issuer, {
    ...settings(people),
    scopes: Object.values(applications).flatMap(({ scopes }) => scopes.split(' ')),
    clients: clientsOf(applications),
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] },
  })
  provider.Client.prototype.redirectUriAllowed = (address) => loopback.test(address)
  provider.use(plannedResponses(responses))
  provider.use(githubTokens)
  provider.use(consentPage(provider, people))
  provider.use(profilePages(provider, people))

  const callback = provider.callback()
  server.on('request', (request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers })
    void callback(request, response)
  })

  return {
    issuer,
    applications,
    requests,
    put: (person) => void people.set(person.login, person),
    respond(path, made) {
      if (made === null) responses.delete(path)
      else responses.set(path, made)
    },
    signIdToken: (claims, signer = key) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keyId }).sign(signer),
    signIn: (consentURL, login) => submitConsent(consentURL, { person: login }),
    cancel: (consentURL) => submitConsent(consentURL, { cancel: 'true' }),
    async stop() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

function settings(people: ReadonlyMap<string, Person>): Configuration {
  const find = (subject: string) =>
    Array.from(people.values()).find((person) => subjectOf(person) === subject)
  return {
    adapter: providerRecords(),
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    // Both tokens get every claim that `claims` below gives them.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/consent/${uid}` },
    findAccount: (_context, subject) => {
      const person = find(subject)
      if (person === undefined) return undefined
      const { sub, ...claims } = claimsOf(person)
      return { accountId: sub, claims: (use) => ({ sub, ...(use === 'userinfo' ? claims : person.idToken) }) }
    },
    // Every user who signs in consents to everything.
    async loadExistingGrant({ oidc }) {
      const { client, session, provider, params } = oidc
      const grant = new provider.Grant({
        ...(client !== undefined && { clientId: client.clientId }),
        ...(session?.accountId !== undefined && { accountId: session.accountId }),
      })
      grant.addOIDCScope(scopeOf(params))
      await grant.save()
      return grant
    },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  }
}

const scopeOf = (parameters: Readonly<Record<string, unknown>> = {}): string =>
  typeof parameters['scope'] === 'string' ? parameters['scope'] : ''

function applicationsAt(issuer: string): Applications {
  const application = (name: string, scopes: string, userInfoPath: string, tokenPath = '/token') => ({
    clientID: `${name}-client`,
    clientSecret: `${name}-secret`,
    name,
    authURL: `${issuer}/auth`,
    tokenURL: issuer + tokenPath,
    userInfoURL: issuer + userInfoPath,
    scopes,
  })
  return {
    idp1: { ...application('Google', 'openid email profile', '/google/userinfo'), validDomains: [] },
    idp2: {
      ...application('GitHub', 'read:user user:email read:org', '/github/user', '/github/token'),
      validOrganizations: [],
    },
    idp3: application('OVHcloud', 'all', '/ovh/me'),
    oidc: {
      clientID: 'openid-client',
      clientSecret: 'openid-secret with spaces: and colons',
      name: 'OpenID',
      providerURL: issuer,
      scopes: 'openid email profile',
      validDomains: [],
      requireVerifiedEmail: true,
    },
  }
}

function clientsOf({ oidc, ...fixed }: Applications): ClientMetadata[] {
  const common = { response_types: ['code' as const], redirect_uris: ['http://127.0.0.1/callback'] }
  return [
    ...Object.values(fixed).map(({ clientID, clientSecret }) => ({
      ...common,
      client_id: clientID,
      client_secret: clientSecret,
      token_endpoint_auth_method: 'client_secret_post' as const,
    })),
    { ...common, client_id: oidc.clientID, client_secret: oidc.clientSecret },
  ]
}
