import type { ClientAuth, Configuration } from 'openid-client'
import type { ProvidersConfig } from '../../config/account-config.ts'
import { claimsIn, emailIn, identifierIn, labelIn, type Claims } from './id-token-claims.ts'
import { beginCodeFlow, loadClient, plainHttp, type Client, type ProviderOptions } from './code-flow.ts'
import { requireDomain, requireVerified, type StatedEmail } from './email-rules.ts'
import { startError, loginError, UnusableResponseError } from './provider-error.ts'
import { providerFetch } from './provider-fetch.ts'
import type { IdentityProvider } from './provider.ts'

type OpenIdConnectConfig = NonNullable<ProvidersConfig['oidc']>

/** The provider `oidc`, which can be each one that speaks OpenID Connect. Its endpoints and keys are discovered on the first login. */
export function openIdConnect(config: OpenIdConnectConfig, options: ProviderOptions): IdentityProvider {
  const { name, requireVerifiedEmail, validDomains } = config
  let discovered: Promise<Configuration> | null = null

  /**
   * The discovered configuration, which is cached after a success.
   * @throws ServiceError `unavailable`
   */
  const configuration = (client: Client): Promise<Configuration> => {
    discovered ??= discover(client, config, options).catch((error: unknown) => {
      discovered = null
      throw startError(name, error)
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
        throw startError(name, error)
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
        // The userinfo is newer than the id token.
        const claims = { ...idToken, ...userInfo }
        return {
          subject,
          accountId: subject,
          issuer: identifierIn(idToken, 'iss'),
          login: labelIn(claims, 'preferred_username') || stated.email || subject,
          name: labelIn(claims, 'name'),
          email: stated.email,
        }
      } catch (error) {
        throw loginError(name, error)
      }
    },
  }
}

async function discover(
  client: Client,
  { providerURL, clientID, clientSecret }: OpenIdConnectConfig,
  { requestTimeout }: ProviderOptions,
): Promise<Configuration> {
  // With the address of the document, the library would not compare the issuer.
  const issuer = new URL(providerURL.replace(/\/\.well-known\/openid-configuration$/, ''))
  // Verifies the signature of id tokens; the library skips it by default, because they arrive over TLS.
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

/**
 * Checks that the discovery document allows a login: otherwise it must not be cached.
 * @throws UnusableResponseError
 */
function requireEndpoints(client: Client, configuration: Configuration): void {
  client.buildAuthorizationUrl(configuration, {})
  const { token_endpoint, jwks_uri } = configuration.serverMetadata()
  if (token_endpoint === undefined || jwks_uri === undefined) {
    throw new UnusableResponseError('the discovery document lacks "token_endpoint" or "jwks_uri"')
  }
}

/**
 * Uses the header, unless the provider accepts only the body. A missing list means the header (OpenID Connect
 * Discovery §3).
 */
function clientAuthentication(client: Client, secret: string): ClientAuth {
  const [inHeader, inBody] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? inHeader : inBody
    authenticate(server, ...request)
  }
}

/** The userinfo; empty when the provider has no such endpoint. The id token is then complete. */
async function readUserInfo(
  client: Client,
  server: Configuration,
  accessToken: string,
  subject: string,
): Promise<Claims> {
  if (server.serverMetadata().userinfo_endpoint === undefined) return {}
  return client.fetchUserInfo(server, accessToken, subject)
}

/**
 * The email address. It counts as verified only if the same source says so, because the addresses of the sources may
 * differ.
 */
function statedEmail(sources: readonly Claims[]): StatedEmail {
  const stated = sources
    .map((claims) => ({ email: emailIn(claims), verified: claims['email_verified'] === true }))
    .filter(({ email }) => email !== '')
  return stated.find(({ verified }) => verified) ?? stated[0] ?? { email: '', verified: false }
}
