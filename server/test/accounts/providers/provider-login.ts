import type { TestResponse } from '../../support/clients/send-request.ts'
import type { TestIdentityProvider } from '../../support/identity-provider/identity-provider.ts'
import { call, type ServerWithAccounts } from '../../support/servers/server-with-accounts.ts'

export type ProviderName = 'idp1' | 'idp2' | 'idp3' | 'oidc'

type Reached = Pick<ServerWithAccounts, 'url'>
type Sent = Readonly<Record<string, string>>

export interface Begun {
  readonly consentURL: string
  /** What the browser keeps until it is back, as it sends it. */
  readonly cookie: string
  /** The attributes of that cookie. */
  readonly attributes: string
}

/** Asks for the way to a provider. */
export async function begin(server: Reached, provider: ProviderName, headers: Sent = {}): Promise<Begun> {
  const response = await call(server, `GET /auth/${provider}/login`, { headers })
  if (response.status !== 200) throw new Error(`${provider} has no consent page: ${response.text}`)
  const [set = ''] = response.headers['set-cookie'] ?? []
  const end = set.indexOf(';')
  return { consentURL: response.text.trim(), cookie: set.slice(0, end), attributes: set.slice(end) }
}

/** Opens the address that a provider sent the browser back to, at a server that is reached another way. */
export function comeBack(
  server: Reached,
  returned: URL,
  cookie: string,
  headers: Sent = {},
): Promise<TestResponse> {
  const [, path = ''] = /\/(auth\/.*)$/.exec(returned.pathname) ?? []
  const sent = {
    ...headers,
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    ...(cookie !== '' && { cookie }),
  }
  return call(server, `GET /${path}${returned.search}`, { headers: sent })
}

/** A whole login in a browser that has no cookies. */
export async function logIn(
  server: Reached,
  idp: TestIdentityProvider,
  provider: ProviderName,
  login: string,
  headers: Sent = {},
): Promise<TestResponse> {
  const begun = await begin(server, provider, headers)
  return comeBack(server, await idp.signIn(begun.consentURL, login), begun.cookie, headers)
}
