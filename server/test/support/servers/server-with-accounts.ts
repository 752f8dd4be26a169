import type { TestResponse } from '../clients/send-request.ts'
import { sendRequest } from '../clients/send-request.ts'
import { accountsConfig, createUser, root, signIn, userPassword, type SignedIn } from '../clients/accounts.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts'

/** A test server with accounts, and the session of its admin. */
export interface ServerWithAccounts extends TestServer {
  readonly admin: SignedIn
}

/** Starts a server with accounts, and signs in as `root`. */
export async function startServerWithAccounts(options: TestServerOptions = {}): Promise<ServerWithAccounts> {
  const { features, config, ...more } = options
  const server = await startTestServer({
    ...more,
    features: { feature_authentication: 'enabled', ...features },
    config: { accounts: accountsConfig, ...config },
  })
  return { ...server, admin: await signIn(server, root) }
}

let called = 0

/** A new login. */
export function freshLogin(): string {
  called += 1
  return `user-${String(called)}`
}

let used = 0

/** A new address: failed attempts are counted by it. */
export function freshAddress(): string {
  used += 1
  return `10.1.${String(used >> 8)}.${String(used & 255)}`
}

export interface Member {
  readonly id: string
  readonly login: string
  readonly session: SignedIn
}

/** A new local user who is signed in. */
export async function newMember(
  server: ServerWithAccounts,
  fields: Partial<Parameters<typeof createUser>[2]> = {},
): Promise<Member> {
  const user = await createUser(server, server.admin, { login: freshLogin(), ...fields })
  const password = fields.password ?? userPassword
  return { id: user.id, login: user.login, session: await signIn(server, { login: user.login, password }) }
}

export interface CallOptions {
  readonly as?: SignedIn
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
}

/** `call(server, 'GET /me', { as: session })`. */
export function call(
  { url }: Pick<TestServer, 'url'>,
  line: `${'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`,
  { as, headers = {}, body }: CallOptions = {},
): Promise<TestResponse> {
  const [method = '', path = ''] = line.split(/ (.*)/s)
  const { origin, pathname } = new URL(url)
  return sendRequest(origin, pathname.replace(/\/$/, '') + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...as?.headers,
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
