import type { Configuration, CustomFetch } from 'openid-client'
import type { OAuthApplication } from '../../config/account-config.ts'
import { beginCodeFlow, loadClient, plainHttp, type Client, type ProviderOptions } from './code-flow.ts'
import { notBegun, refusalOf, UnusableAnswerError } from './provider-error.ts'
import { providerFetch } from './provider-fetch.ts'
import type { IdentityProvider, ProviderProfile } from './provider.ts'

/**
 * Reads JSON of the provider with the rights that the person gave.
 * @param path below the address of the profile; none reads the profile itself
 * @returns null when it is not among those rights (status 403 or 404)
 */
export type ReadAnswer = (path?: string, query?: Readonly<Record<string, string>>) => Promise<unknown>

/** What a provider's profile says, and its rules. @throws ServiceError `login_refused`, UnusableAnswerError */
export type ReadProfile = (read: ReadAnswer) => Promise<Omit<ProviderProfile, 'issuer'>>

/** A provider of plain OAuth 2.0: there is no id token to trust, so the profile is asked for with the access token. */
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
    // Every address is an administrator's own, so one that begins with http:// is meant so.
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
        throw notBegun(name, error)
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
        throw refusalOf(name, error)
      }
    },
  }
}

/**
 * Who the answer says it is of (RFC 9207), which the library then compares. The configuration names no issuer and
 * each provider spells its own differently (GitHub's has a path), so the origin of the consent page decides; that
 * each provider has a callback address of its own keeps them apart as well (RFC 9700 §4.4.2.2).
 */
function issuerIn(returned: URL, authURL: string): string {
  const { origin } = new URL(authURL)
  const stated = returned.searchParams.get('iss') ?? ''
  return URL.parse(stated)?.origin === origin ? stated : origin
}

/** GitHub tells errors of its token endpoint with status 200: here they get the status of RFC 6749 §5.2. */
const tokenErrorsByStatus: CustomFetch = async (url, options) => {
  const response = await providerFetch(url, options)
  if (options.method !== 'POST' || response.status !== 200) return response
  const answer = await response
    .clone()
    .json()
    .catch(() => null)
  const isError = typeof answer === 'object' && answer !== null && 'error' in answer
  return isError ? new Response(response.body, { status: 400, headers: response.headers }) : response
}

function reader(client: Client, configuration: Configuration, accessToken: string, base: string): ReadAnswer {
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
      throw new UnusableAnswerError(`the profile was answered with status ${String(response.status)}`)
    }
    return response.json()
  }
}
