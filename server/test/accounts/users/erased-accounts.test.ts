import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountsConfig, createUser, root, signIn } from '../../support/clients/accounts.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

const texts = ['canary-login', 'canary-name', 'canary@example.org', 'canary-comment', 'canary-note']

let directory: string
let server: TestServer
beforeEach(async () => {
  directory = await emptyDirectory()
  server = await startTestServer({
    directory,
    features: { feature_authentication: 'enabled' },
    config: { accounts: accountsConfig, retention: 0 },
  })
})
afterEach(async () => {
  await server.close()
})

/** Texts of the account that a file of the database holds. */
async function textsIn(name: string): Promise<readonly string[]> {
  const file = await readFile(join(directory, name), 'latin1')
  return texts.filter((text) => file.includes(text))
}

/** Creates an account with a token and an upload, which deletes itself. */
async function deleteAccount(): Promise<void> {
  await createUser(server, await signIn(server, root), {
    provider: 'local',
    login: 'canary-login',
    password: 'battery staple',
    name: 'canary-name',
    email: 'canary@example.org',
  })
  const { headers } = await signIn(server, { login: 'canary-login', password: 'battery staple' })
  const json = { ...headers, 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    sendRequest(server.url, path, { method: 'POST', headers: json, body: JSON.stringify(body) })
  expect((await post('/me/token', { comment: 'canary-comment' })).status).toBe(200)
  expect((await post('/upload', { comments: 'canary-note' })).status).toBe(200)
  expect((await sendRequest(server.url, '/me', { method: 'DELETE', headers })).status).toBe(200)
}

async function clean(): Promise<void> {
  server.clock.advance(1_000)
  await server.clean()
}

test('the file of an SQLite database holds nothing of a deleted account', async () => {
  await deleteAccount()
  for (let cleanup = 0; cleanup < 3; cleanup += 1) await clean()
  await server.close()
  expect(await textsIn('svc.db')).toEqual([])
  server = await startTestServer({ directory })
})

test('neither does its log while the server runs', async () => {
  await deleteAccount()
  expect(await textsIn('svc.db-wal')).toEqual(texts)
  for (let cleanup = 0; cleanup < 3; cleanup += 1) await clean()
  expect([await textsIn('svc.db'), await textsIn('svc.db-wal')]).toEqual([[], []])
})

test('the log keeps what a reader still needs, and the next cleanup empties it', async () => {
  await deleteAccount()
  const reader = new DatabaseSync(join(directory, 'svc.db'))
  reader.exec('begin')
  reader.prepare('select 1 from users').all()
  for (let cleanup = 0; cleanup < 3; cleanup += 1) await clean()
  expect(await textsIn('svc.db-wal')).toEqual(texts)
  reader.close()
  await clean()
  expect([await textsIn('svc.db'), await textsIn('svc.db-wal')]).toEqual([[], []])
})
