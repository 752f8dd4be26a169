import {
  cookies,
  headers as names,
  type LocalLogin,
  type NewUser,
  type NewUserToken,
  type User,
} from '@svc/contract'
import type { Config } from '../../../src/config/config.ts'
import { sendRequest, jsonIn, type TestResponse } from './send-request.ts'

/** A server to send requests to: a test server, or its address. */
interface Reachable {
  /** Base URL without a slash at the end. */
  readonly url: string
}

/** A signed-in browser. */
export interface SignedIn {
  /** Value of a `Cookie` header: both cookies, as the browser sends them. */
  readonly cookie: string
  readonly xsrf: string
  /** The headers of every request of the page: the cookies and the XSRF value. */
  readonly headers: Readonly<Record<string, string>>
}

/** The admin that a server with `accountsConfig` starts with. */
export const root: LocalLogin = { login: 'root', password: 'correct horse' }

export const userPassword = 'battery staple'

/** Accounts for a test server whose features have `feature_authentication` enabled or forced. */
export const accountsConfig: Config['accounts'] = {
  sessionTimeout: 2_592_000,
  cliTokenTimeout: 7_776_000,
  defaultAdmin: { login: root.login, password: root.password },
  providers: { idp1: null, idp2: null, idp3: null, oidc: null },
}

/**
 * Signs in with a local account.
 * @param sent headers besides those of the body, such as `x-forwarded-for`
 * @throws if the server returns an error
 */
export async function signIn(
  server: Reachable,
  { login, password }: LocalLogin,
  sent: Readonly<Record<string, string>> = {},
): Promise<SignedIn> {
  const response = await sendRequest(...at(server, '/auth/local/login'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...sent },
    body: JSON.stringify({ login, password }),
  })
  if (response.status !== 200) throw new Error(`${login} could not sign in: ${response.text}`)
  return sessionIn(response)
}

/** The session in the cookies of a response. */
export function sessionIn({ headers }: Pick<TestResponse, 'headers'>): SignedIn {
  const set = (headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? '')
  const cookie = set.filter((pair) => !pair.endsWith('=')).join('; ')
  const xsrf = set.find((pair) => pair.startsWith(`${cookies.xsrf}=`))?.slice(cookies.xsrf.length + 1) ?? ''
  return { cookie, xsrf, headers: { cookie, [names.xsrfToken]: xsrf } }
}

/** Creates a user as an admin does: by default a local one with `userPassword`. */
export async function createUser(
  server: Reachable,
  admin: SignedIn,
  fields: Partial<NewUser> & { readonly login: string },
): Promise<User> {
  const provider = fields.provider ?? 'local'
  const user: NewUser = {
    provider,
    ...(provider === 'local' && { password: userPassword }),
    ...fields,
  }
  const response = await sendRequest(...at(server, '/user'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...admin.headers },
    body: JSON.stringify(user),
  })
  if (response.status !== 200) throw new Error(`${fields.login} could not be created: ${response.text}`)
  return jsonIn(response) as User
}

/** A new token of the signed-in user. */
export async function createUserToken(
  server: Reachable,
  owner: SignedIn,
  options: NewUserToken = {},
): Promise<string> {
  const response = await sendRequest(...at(server, '/me/token'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...owner.headers },
    body: JSON.stringify(options),
  })
  if (response.status !== 200) throw new Error(`no token was created: ${response.text}`)
  return (jsonIn(response) as { readonly token: string }).token
}

/** The base URL for `sendRequest`: the path prefix of a server belongs to the path. */
function at({ url }: Reachable, path: string): [string, string] {
  const { origin, pathname } = new URL(url)
  return [origin, pathname.replace(/\/$/, '') + path]
}
