import type { Configuration, CustomFetch } from 'openid-client'
import type { OAuthApplication } from '../../config/account-config.ts'
import { beginCodeFlow, loadClient, plainHttp, type Client, type ProviderOptions } from './code-flow.ts'
import { startError, loginError, UnusableResponseError } from './provider-error.ts'
import { providerFetch } from './provider-fetch.ts'
import type { IdentityProvider, ProviderProfile } from './provider.ts'

/**
 * Reads JSON from the provider with the access token.
 * @param path below the address of the profile; by default the profile itself
 * @returns null when the token does not allow it (status 403 or 404)
 */
export type ReadResource = (path?: string, query?: Readonly<Record<string, string>>) => Promise<unknown>

/**
 * Reads the profile and enforces the rules of a provider.
 * @throws ServiceError `login_refused`, UnusableResponseError
 */
export type ReadProfile = (read: ReadResource) => Promise<Omit<ProviderProfile, 'issuer'>>

/** A provider of plain OAuth 2.0. It has no id token, so the profile is requested with the access token. */
export function oauthProvider(
  application: OAuthApplication,
  readProfile: ReadProfile,
  { requestTimeout }: ProviderOptions,
): IdentityProvider {
  const { name, clientID, clientSecret, authURL, tokenURL, userInfoURL } = application

  const configure = (client: Client, issuer: string): Configuration => {
    const server = { issuer, authorization_endpoint: authURL, token_endpoint: tokenURL }
    const authentication = client.ClientSecretPost(clientSecret)
    const configuration = new client.Configuration(server, clientID, undefined, authentication)
    configuration.timeout = requestTimeout / 1_000
    configuration[client.customFetch] = tokenErrorsByStatus
    // An administrator writes each address, so `http://` is intended.
    plainHttp(client)(configuration)
    return configuration
  }

  return {
    async begin(callbackURL) {
      try {
        const client = await loadClient()
        const configuration = configure(client, new URL(authURL).origin)
        return await beginCodeFlow(client, configuration, { callbackURL, scope: application.scopes })
      } catch (error) {
        throw startError(name, error)
      }
    },

    async finish(returned, attempt) {
      try {
        const client = await loadClient()
        const configuration = configure(client, issuerIn(returned, authURL))
        const tokens = await client.authorizationCodeGrant(configuration, returned, {
          pkceCodeVerifier: attempt.codeVerifier,
          expectedState: attempt.state,
        })
        const profile = await readProfile(reader(client, configuration, tokens.access_token, userInfoURL))
        return { ...profile, issuer: new URL(userInfoURL).origin }
      } catch (error) {
        throw loginError(name, error)
      }
    },
  }
}

/**
 * The issuer in the response (RFC 9207), which the library compares. The configuration has no issuer, and providers
 * write theirs differently (GitHub's has a path), so the origin of the consent page decides. Each provider also has
 * a separate callback address (RFC 9700 §4.4.2.2).
 */
function issuerIn(returned: URL, authURL: string): string {
  const { origin } = new URL(authURL)
  const stated = returned.searchParams.get('iss') ?? ''
  return URL.parse(stated)?.origin === origin ? stated : origin
}

/** GitHub reports errors of its token endpoint with status 200. They get the status of RFC 6749 §5.2 here. */
const tokenErrorsByStatus: CustomFetch = async (url, options) => {
  const response = await providerFetch(url, options)
  if (options.method !== 'POST' || response.status !== 200) return response
  const body = await response
    .clone()
    .json()
    .catch(() => null)
  const isError = typeof body === 'object' && body !== null && 'error' in body
  return isError ? new Response(response.body, { status: 400, headers: response.headers }) : response
}

function reader(
  client: Client,
  configuration: Configuration,
  accessToken: string,
  base: string,
): ReadResource {
  return async (path = '', query = {}) => {
    const address = new URL(base)
    address.pathname += path
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    const headers = new Headers({ accept: 'application/json' })
    const response = await client.fetchProtectedResource(
      configuration,
      accessToken,
      address,
      'GET',
      undefined,
      headers,
    )
    if (response.status === 403 || response.status === 404) return null
    if (response.status !== 200) {
      throw new UnusableResponseError(`the profile request returned status ${String(response.status)}`)
    }
    return response.json()
  }
}
