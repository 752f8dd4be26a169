import type { Bench } from './bench.ts'
import { startServer, type ServerProcess } from './processes/server-process.ts'
import { request } from './stored.ts'

/** The credentials of the admin of a server with accounts. */
export const admin = { login: 'bench', password: 'all work and no play' }

/** Variables of a server with accounts. */
export const accountSettings = {
  SVCD_FEATURE_AUTHENTICATION: 'enabled',
  // Lets the benchmark send logins from many addresses, so that the throttle does not refuse them.
  SVCD_TRUSTED_PROXIES: '["127.0.0.1/32"]',
  SVCD_DEFAULT_ADMIN_LOGIN: admin.login,
  SVCD_DEFAULT_ADMIN_PASSWORD: admin.password,
}

/** A signed-in user. */
export interface Account {
  /** Headers of requests that read. */
  readonly sessionHeaders: { readonly Cookie: string }
  /** Headers of requests that change something. */
  readonly writeHeaders: Readonly<Record<string, string>>
  /** Headers of requests that upload. */
  readonly tokenHeaders: { readonly 'X-SvcToken': string }
}

/** A server with accounts, and its admin. */
export async function startServerWithAccount(
  bench: Bench,
): Promise<{ readonly server: ServerProcess; readonly account: Account }> {
  const server = await startServer(bench, accountSettings)
  try {
    return { server, account: await signIn(server, admin, bench.signal) }
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

export async function signIn(
  { url }: Pick<ServerProcess, 'url'>,
  credentials: { readonly login: string; readonly password: string },
  signal: AbortSignal,
): Promise<Account> {
  const json = { 'Content-Type': 'application/json' }
  const login = { method: 'POST', headers: json, body: JSON.stringify(credentials), signal }
  const cookies = (await request(`${url}auth/local/login`, login)).headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
  const Cookie = cookies.join('; ')
  const xsrf = cookies.find((cookie) => cookie.startsWith('svc-xsrf='))?.slice('svc-xsrf='.length) ?? ''
  const writeHeaders = { Cookie, 'X-XSRFToken': xsrf }
  const headers = { ...json, ...writeHeaders }
  const created = await request(`${url}me/token`, { method: 'POST', headers, body: '{}', signal })
  const { token } = (await created.json()) as { readonly token: string }
  return { sessionHeaders: { Cookie }, writeHeaders, tokenHeaders: { 'X-SvcToken': token } }
}

const password = 'all uploads and no download'

/** Signs in as a local user without a password, after the admin has set one. */
export async function signInAs(
  server: Pick<ServerProcess, 'url'>,
  admin: Account,
  id: string,
  signal: AbortSignal,
): Promise<Account> {
  const headers = { 'Content-Type': 'application/json', ...admin.writeHeaders }
  const address = `${server.url}user/${encodeURIComponent(id)}`
  await request(address, { method: 'POST', headers, body: JSON.stringify({ password }), signal })
  return signIn(server, { login: id.replace('local:', ''), password }, signal)
}
