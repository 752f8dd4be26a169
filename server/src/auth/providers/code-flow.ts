import type { Configuration } from 'openid-client'
import type { IdentityProvider } from './provider.ts'

/** Settings that all providers share. */
export interface ProviderOptions {
  /** The timeout of one request to a provider in milliseconds, including its response. */
  readonly requestTimeout: number
}

/** Loads the library on the first login: a server without providers does not need it. */
export const loadClient = () => import('openid-client')
export type Client = Awaited<ReturnType<typeof loadClient>>

/** Allows requests without TLS, only for addresses that an administrator wrote with `http://`. */
export const plainHttp = (client: Client): ((configuration: Configuration) => void) =>
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the library marks it as deprecated only to make it conspicuous, as its documentation says
  client.allowInsecureRequests

export interface ConsentRequest {
  readonly callbackURL: string
  /** Separated by spaces. */
  readonly scope: string
  /** Parameters for one kind of provider; they may depend on the nonce. */
  readonly more?: (nonce: string) => Readonly<Record<string, string>>
}

/**
 * Starts the authorization code flow with PKCE (RFC 6749 §4.1, RFC 7636).
 * @returns the consent page and the values to remember
 */
export async function beginCodeFlow(
  client: Client,
  configuration: Configuration,
  { callbackURL, scope, more = () => ({}) }: ConsentRequest,
): ReturnType<IdentityProvider['begin']> {
  const attempt = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
  }
  const consentURL = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackURL,
    scope,
    state: attempt.state,
    code_challenge: await client.calculatePKCECodeChallenge(attempt.codeVerifier),
    code_challenge_method: 'S256',
    ...more(attempt.nonce),
  })
  return { consentURL: consentURL.href, attempt }
}
