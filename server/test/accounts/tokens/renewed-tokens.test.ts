import type { CliLoginStart, CliLoginState, Page, UserToken } from '@svc/contract'
import { afterEach, expect, test } from 'vitest'
import { accountsConfig, root, signIn } from '../../support/clients/accounts.ts'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import {
  call,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
afterEach(() => server.close())

const day = 86_400_000
const later = (ms: number) => new Date(server.clock.now() + ms).toISOString()
const start = async (cliTokenTimeout = accountsConfig.cliTokenTimeout) => {
  server = await startServerWithAccounts({ config: { accounts: { ...accountsConfig, cliTokenTimeout } } })
}
const use = (token: string) => call(server, 'POST /upload', { headers: { 'x-svctoken': token }, body: {} })
const end = async () => {
  const as = await signIn(server, root)
  const { results } = jsonIn(await call(server, 'GET /me/token', { as })) as Page<UserToken>
  return results.map(({ expiresAt }) => expiresAt)
}

/** The token that a command line is given. */
async function logIn(): Promise<string> {
  const init = await call(server, 'POST /auth/cli/init', { body: { hostname: 'laptop' } })
  const { code, secret } = jsonIn(init) as CliLoginStart
  await call(server, 'POST /auth/cli/approve', { as: server.admin, body: { code } })
  const response = await call(server, 'POST /auth/cli/poll', { body: { code, secret } })
  return (jsonIn(response) as CliLoginState).token ?? ''
}

test('the token of a command-line login expires 90 days after its creation', async () => {
  await start()
  await logIn()
  expect(await end()).toEqual([later(90 * day)])
})

test('every use extends it', async () => {
  const hour = 3_600_000
  await start(hour / 1000)
  const token = await logIn()
  for (let uses = 0; uses < 3; uses++) {
    server.clock.advance(hour - 1)
    expect((await use(token)).status).toBe(200)
    expect(await end()).toEqual([later(hour)])
  }
  server.clock.advance(hour)
  expect(errorIn(await use(token))).toEqual({ status: 403, code: 'invalid_token' })
})

test('a token with an expiry set by the user keeps it after any use', async () => {
  await start()
  const body = { expiresAt: later(day / 24) }
  const { token } = jsonIn(await call(server, 'POST /me/token', { as: server.admin, body })) as UserToken
  server.clock.advance(day / 24 - 1)
  expect((await use(token)).status).toBe(200)
  server.clock.advance(1)
  expect(errorIn(await use(token))).toEqual({ status: 403, code: 'invalid_token' })
})

test.each([
  [60, 60_000],
  [-1, undefined],
])('a configured lifetime of %i seconds applies', async (timeout, ms) => {
  await start(timeout)
  await logIn()
  expect(await end()).toEqual([ms === undefined ? undefined : later(ms)])
})
