import type { Answered } from '../support/ask.ts'
import type { TestIdentityProvider } from '../support/identity-provider.ts'
import { call, type Site } from './site.ts'

export type ProviderName = 'idp1' | 'idp2' | 'idp3' | 'oidc'

type Reached = Pick<Site, 'url'>
type Sent = Readonly<Record<string, string>>

export interface Begun {
  readonly consentURL: string
  /** What the browser keeps until it is back, as it sends it. */
  readonly cookie: string
  /** The attributes of that cookie. */
  readonly attributes: string
}

/** Asks for the way to a provider. */
export async function begin(site: Reached, provider: ProviderName, headers: Sent = {}): Promise<Begun> {
  const answer = await call(site, `GET /auth/${provider}/login`, { headers })
  if (answer.status !== 200) throw new Error(`${provider} has no consent page: ${answer.text}`)
  const [set = ''] = answer.headers['set-cookie'] ?? []
  const end = set.indexOf(';')
  return { consentURL: answer.text.trim(), cookie: set.slice(0, end), attributes: set.slice(end) }
}

/** Opens the address that a provider sent the browser back to, at a server that is reached another way. */
export function comeBack(
  site: Reached,
  returned: URL,
  cookie: string,
  headers: Sent = {},
): Promise<Answered> {
  const [, path = ''] = /\/(auth\/.*)$/.exec(returned.pathname) ?? []
  const sent = {
    ...headers,
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    ...(cookie !== '' && { cookie }),
  }
  return call(site, `GET /${path}${returned.search}`, { headers: sent })
}

/** A whole login in a browser that has no cookies. */
export async function logIn(
  site: Reached,
  at: TestIdentityProvider,
  provider: ProviderName,
  login: string,
  headers: Sent = {},
): Promise<Answered> {
  const begun = await begin(site, provider, headers)
  return comeBack(site, await at.signIn(begun.consentURL, login), begun.cookie, headers)
}
