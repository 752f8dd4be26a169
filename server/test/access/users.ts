import type { TokenScope } from '@svc/contract'
import { ask, jsonIn } from '../support/ask.ts'
import { createUser, createUserToken, signIn, userPassword, type SignedIn } from '../support/accounts.ts'
import type { TestServer } from '../support/test-server.ts'

/** A user with an account and everything that belongs to it. */
export interface TestUser {
  readonly id: string
  readonly login: string
  readonly email: string
  readonly session: SignedIn
  readonly sessionID: string
  /** A user token. */
  readonly token: string
  /** User tokens of one scope each. */
  readonly limited: Readonly<Record<TokenScope, string>>
  /** The address that opened the session, forwarded by a trusted proxy. */
  readonly address: string
  /** An upload of the user that only the user knows. */
  readonly uploadID: string
}

/** The users of the table. */
export interface TableUsers {
  readonly owner: TestUser
  readonly other: TestUser
  readonly admin: TestUser
  /** A user who was deleted: session and token were created before. */
  readonly removed: TestUser
  /** A session of the owner after logout. */
  readonly left: SignedIn
}

let used = 0

/** An unused address; all have the same length, so that none is part of another. */
export function freshAddress(): string {
  used += 1
  const parts = [used / 10_000, used / 100, used].map((part) => String(100 + (Math.floor(part) % 100)))
  return ['10', ...parts].join('.')
}

const json = { 'content-type': 'application/json' }

async function hire(server: TestServer, root: SignedIn, role: string): Promise<TestUser> {
  const address = freshAddress()
  const login = `${role}-canary-${address.replaceAll('.', '-')}`
  const email = `${login}@example.test`
  const { id } = await createUser(server, root, { login, email, admin: role === 'admin' })
  const session = await signIn(server, { login, password: userPassword }, { 'x-forwarded-for': address })
  const sessions = await ask(server.url, '/me/sessions', { headers: session.headers })
  const [{ id: sessionID }] = jsonIn(sessions) as [{ readonly id: string }]
  const token = await createUserToken(server, session)
  const limitedTo = (scope: TokenScope) => createUserToken(server, session, { scopes: [scope] })
  const limited = {
    upload: await limitedTo('upload'),
    read: await limitedTo('read'),
    manage: await limitedTo('manage'),
  }
  const headers = { ...json, ...session.headers, 'x-forwarded-for': address }
  const upload = jsonIn(await ask(server.url, '/upload', { method: 'POST', headers, body: '{}' }))
  const { id: uploadID } = upload as { readonly id: string }
  return { id, login, email, session, sessionID, token, limited, address, uploadID }
}

/** A new owner, another user and an admin, with the credentials of a deleted user and an ended session. */
export async function createUsers(
  server: TestServer,
  root: SignedIn,
  removed: TestUser,
): Promise<TableUsers> {
  const owner = await hire(server, root, 'owner')
  const left = await signIn(server, { login: owner.login, password: userPassword })
  await ask(server.url, '/auth/logout', { headers: left.headers })
  return {
    owner,
    left,
    other: await hire(server, root, 'other'),
    admin: await hire(server, root, 'admin'),
    removed,
  }
}

/** A user who was deleted by an admin. */
export async function createAndDeleteUser(server: TestServer, root: SignedIn): Promise<TestUser> {
  const person = await hire(server, root, 'gone')
  const path = `/user/${encodeURIComponent(person.id)}`
  const { status } = await ask(server.url, path, { method: 'DELETE', headers: root.headers })
  if (status !== 200) throw new Error(`${person.id} could not be deleted`)
  return person
}
