import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic } from '../../support/clients/send-request.ts'
import { createUser, userPassword } from '../../support/clients/accounts.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import {
  call,
  freshLogin,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let second: TestServer
beforeAll(async () => {
  server = await startServerWithAccounts()
  second = await startTestServer({
    features: { feature_authentication: 'enabled' },
    config: { accounts: server.config.accounts },
    directory: server.directory,
    clock: server.clock,
  })
})
afterAll(async () => {
  await second.close()
  await server.close()
})

const tally = (responses: readonly { readonly status: number }[]) =>
  Object.fromEntries(
    Map.groupBy(responses, ({ status }) => String(status))
      .entries()
      .map(([status, group]) => [status, group.length]),
  )

test('two servers on one database share the count of failed logins', async () => {
  const login = freshLogin()
  await createUser(server, server.admin, { login })
  const guess = (at: Pick<ServerWithAccounts, 'url'>, password: string) =>
    call(at, 'POST /auth/local/login', { body: { login, password } })
  const guesses = Array.from({ length: 30 }, (_, n) => guess(n % 2 === 0 ? server : second, 'wrong horse'))
  expect(tally(await Promise.all(guesses))).toEqual({ 401: 10, 429: 20 })
  for (const at of [server, second]) expect((await guess(at, userPassword)).status).toBe(429)
  server.clock.advance(300_000)
  for (const at of [server, second]) expect((await guess(at, userPassword)).status).toBe(200)
})

test('two servers on one database share the count of wrong upload passwords', async () => {
  const { path } = await storeUpload(server, 'content', { password: 'right one' })
  const guesses = Array.from({ length: 30 }, (_, n) =>
    call(n % 2 === 0 ? server : second, `GET ${path}`, {
      headers: { authorization: basic('svc', `wrong ${String(n)}`) },
    }),
  )
  expect(tally(await Promise.all(guesses))).toEqual({ 401: 10, 429: 20 })
})
