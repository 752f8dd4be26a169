import type { Bench } from './bench.ts'
import { startServer, type ServerProcess } from './server-process.ts'
import { request } from './stored.ts'

const admin = { login: 'bench', password: 'all work and no play' }

/** Somebody who is signed in. */
export interface Account {
  /** For requests that read. */
  readonly session: { readonly Cookie: string }
  /** For requests that upload. */
  readonly token: { readonly 'X-SvcToken': string }
}

/** A server with accounts, and its admin. */
export async function startServerWithAccount(
  bench: Bench,
): Promise<{ readonly server: ServerProcess; readonly account: Account }> {
  const server = await startServer(bench, {
    SVCD_FEATURE_AUTHENTICATION: 'enabled',
    // So that whoever tries to log in may seem to come from anywhere.
    SVCD_TRUSTED_PROXIES: '["127.0.0.1/32"]',
    SVCD_DEFAULT_ADMIN_LOGIN: admin.login,
    SVCD_DEFAULT_ADMIN_PASSWORD: admin.password,
  })
  try {
    return { server, account: await signIn(server, bench.signal) }
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

async function signIn({ url }: ServerProcess, signal: AbortSignal): Promise<Account> {
  const json = { 'Content-Type': 'application/json' }
  const login = { method: 'POST', headers: json, body: JSON.stringify(admin), signal }
  const cookies = (await request(`${url}auth/local/login`, login)).headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
  const Cookie = cookies.join('; ')
  const xsrf = cookies.find((cookie) => cookie.startsWith('svc-xsrf='))?.slice('svc-xsrf='.length) ?? ''
  const headers = { ...json, Cookie, 'X-XSRFToken': xsrf }
  const created = await request(`${url}me/token`, { method: 'POST', headers, body: '{}', signal })
  const { token } = (await created.json()) as { readonly token: string }
  return { session: { Cookie }, token: { 'X-SvcToken': token } }
}
