import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accountsConfig, createUser, root, signIn } from '../support/accounts.ts'
import { ask } from '../support/ask.ts'
import { emptyDirectory, removeDirectory } from '../support/svcd.ts'
import { startTestServer } from '../support/test-server.ts'

const texts = ['canary-login', 'canary-name', 'canary@example.org', 'canary-comment', 'canary-note']

test('the file of an SQLite database holds nothing of a deleted account', async () => {
  const directory = await emptyDirectory()
  const server = await startTestServer({
    directory,
    features: { feature_authentication: 'enabled' },
    config: { accounts: accountsConfig, retention: 0 },
  })
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
    ask(server.url, path, { method: 'POST', headers: json, body: JSON.stringify(body) })
  expect((await post('/me/token', { comment: 'canary-comment' })).status).toBe(200)
  expect((await post('/upload', { comments: 'canary-note' })).status).toBe(200)
  expect((await ask(server.url, '/me', { method: 'DELETE', headers })).status).toBe(200)
  for (let cleanup = 0; cleanup < 3; cleanup += 1) {
    server.clock.advance(1_000)
    await server.clean()
  }
  await server.close()
  const file = await readFile(join(directory, 'svc.db'), 'latin1')
  expect(texts.filter((text) => file.includes(text))).toEqual([])
  await removeDirectory(directory)
})
