import type { ClientAuth, Configuration } from 'openid-client'
import type { ProvidersConfig } from '../../config/account-config.ts'
import { claimsIn, emailIn, identifierIn, labelIn, type Claims } from './claims.ts'
import { beginCodeFlow, loadClient, plainHttp, type Client, type ProviderOptions } from './code-flow.ts'
import { requireDomain, requireVerified, type StatedEmail } from './email-rules.ts'
import { notBegun, refusalOf, UnusableAnswerError } from './provider-error.ts'
import { providerFetch } from './provider-fetch.ts'
import type { IdentityProvider } from './provider.ts'

type OpenIdConnectConfig = NonNullable<ProvidersConfig['oidc']>

/** `oidc`: any provider of OpenID Connect; its endpoints and keys are discovered at the first login. */
export function openIdConnect(config: OpenIdConnectConfig, options: ProviderOptions): IdentityProvider {
  const { name, requireVerifiedEmail, validDomains } = config
  let discovered: Promise<Configuration> | null = null

  /** Remembered once it succeeds. @throws ServiceError `unavailable` */
  const configuration = (client: Client): Promise<Configuration> => {
    discovered ??= discover(client, config, options).catch((error: unknown) => {
      discovered = null
      throw notBegun(name, error)
    })
    return discovered
  }

  return {
    async begin(callbackURL) {
      try {
        const client = await loadClient()
        const more = (nonce: string) => ({ nonce })
        return await beginCodeFlow(client, await configuration(client), {
          callbackURL,
          scope: config.scopes,
          more,
        })
      } catch (error) {
        throw notBegun(name, error)
      }
    },

    async finish(returned, attempt) {
      try {
        const client = await loadClient()
        const server = await configuration(client)
        const tokens = await client.authorizationCodeGrant(server, returned, {
          pkceCodeVerifier: attempt.codeVerifier,
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
        })
        const idToken = claimsIn(tokens.claims())
        const subject = identifierIn(idToken, 'sub')
        const userInfo = await readUserInfo(client, server, tokens.access_token, subject)
        const stated = statedEmail([userInfo, idToken])
        if (requireVerifiedEmail) requireVerified(stated, name)
        requireDomain(stated, validDomains, name)
        // The userinfo is the fresher of the two where both tell the same.
        const told = { ...idToken, ...userInfo }
        return {
          subject,
          accountId: subject,
          issuer: identifierIn(idToken, 'iss'),
          login: labelIn(told, 'preferred_username') || stated.email || subject,
          name: labelIn(told, 'name'),
          email: stated.email,
        }
      } catch (error) {
        throw refusalOf(name, error)
      }
    },
  }
}

async function discover(
  client: Client,
  { providerURL, clientID, clientSecret }: OpenIdConnectConfig,
  { requestTimeout }: ProviderOptions,
): Promise<Configuration> {
  // With the address of the document itself, the library would not compare the issuer in it.
  const issuer = new URL(providerURL.replace(/\/\.well-known\/openid-configuration$/, ''))
  // Checks the signature of id tokens; the library leaves it out by default, since they come over TLS.
  const execute = [client.enableNonRepudiationChecks]
  if (issuer.protocol === 'http:') execute.push(plainHttp(client))
  const authentication = clientAuthentication(client, clientSecret)
  const configuration = await client.discovery(issuer, clientID, undefined, authentication, {
    execute,
    timeout: requestTimeout / 1_000,
    [client.customFetch]: providerFetch,
  })
  requireEndpoints(client, configuration)
  return configuration
}

/** A document that no login can be made with must not be remembered. @throws when it is one */
function requireEndpoints(client: Client, configuration: Configuration): void {
  client.buildAuthorizationUrl(configuration, {})
  const { token_endpoint, jwks_uri } = configuration.serverMetadata()
  if (token_endpoint === undefined || jwks_uri === undefined) {
    throw new UnusableAnswerError('the discovery document lacks "token_endpoint" or "jwks_uri"')
  }
}

/** The header unless the provider takes the body only: it is what a list that is missing means (OpenID Connect Discovery §3). */
function clientAuthentication(client: Client, secret: string): ClientAuth {
  const [inHeader, inBody] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? inHeader : inBody
    authenticate(server, ...request)
  }
}

/** Empty when the provider has no such endpoint: then the id token says everything. */
async function readUserInfo(
  client: Client,
  server: Configuration,
  accessToken: string,
  subject: string,
): Promise<Claims> {
  if (server.serverMetadata().userinfo_endpoint === undefined) return {}
  return client.fetchUserInfo(server, accessToken, subject)
}

/** An address counts as verified only where the same source says so: one may name another address than the other. */
function statedEmail(sources: readonly Claims[]): StatedEmail {
  const stated = sources
    .map((claims) => ({ email: emailIn(claims), verified: claims['email_verified'] === true }))
    .filter(({ email }) => email !== '')
  return stated.find(({ verified }) => verified) ?? stated[0] ?? { email: '', verified: false }
}
