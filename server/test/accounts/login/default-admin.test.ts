import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AccountsConfig } from '../../../src/config/account-config.ts'
import { jsonIn } from '../../support/clients/send-request.ts'
import { accountsConfig, createUser, root, signIn } from '../../support/clients/accounts.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { until } from '../../support/until.ts'
import { call } from '../../support/servers/server-with-accounts.ts'

let directory: string
const running: TestServer[] = []
beforeEach(async () => {
  directory = await emptyDirectory()
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

async function start(defaultAdmin: AccountsConfig['defaultAdmin']): Promise<TestServer> {
  const features = { feature_authentication: 'enabled' } as const
  const accounts = { ...accountsConfig, defaultAdmin }
  const server = await startTestServer({ features, config: { accounts }, directory })
  running.push(server)
  return server
}
const adminLogin = { login: root.login, password: root.password }
const users = () => lookUp({ directory }, "select id || ' ' || admin from users order by id")

test('the first start creates an admin who can sign in', async () => {
  const server = await start(adminLogin)
  const session = await signIn(server, root)
  expect(jsonIn(await call(server, 'GET /me', { as: session }))).toMatchObject({
    id: 'local:root',
    admin: true,
  })
  expect(users()).toEqual(['local:root 1'])
})

test('later starts change neither the password nor the user', async () => {
  const server = await start(adminLogin)
  const session = await signIn(server, root)
  const boss = await createUser(server, session, { login: 'boss', admin: true })
  await call(server, 'PATCH /me', {
    as: session,
    body: { name: 'Renamed', currentPassword: root.password, password: 'a new password' },
  })
  await call(server, `POST /user/local:root`, { as: session, body: { admin: false } })
  const again = await start(adminLogin)
  expect((await call(again, 'POST /auth/local/login', { body: root })).status).toBe(401)
  const later = await signIn(again, { login: root.login, password: 'a new password' })
  expect(jsonIn(await call(again, 'GET /me', { as: later }))).toMatchObject({ name: 'Renamed', admin: false })
  expect(users()).toEqual([`${boss.id} 1`, 'local:root 0'])
})

test('of many servers that start at once on a new database, one creates the admin', async () => {
  const servers = await Promise.all([1, 2, 3, 4].map(() => start(adminLogin)))
  expect(users()).toEqual(['local:root 1'])
  for (const server of servers) await signIn(server, root)
})

test('another name creates another admin, and no name creates none', async () => {
  await start(null)
  expect(users()).toEqual([])
  await start(adminLogin)
  await start({ login: 'other', password: 'other password' })
  expect(users()).toEqual(['local:other 1', 'local:root 1'])
})

test.each([
  ['a login that is too short', { login: 'ab', password: 'long enough' }],
  ['a password that is too short', { login: 'root', password: '1234567' }],
  ['a login that is too long', { login: 'x'.repeat(129), password: 'long enough' }],
  ['a password that is too long', { login: 'root', password: 'x'.repeat(129) }],
])('the server does not start with %s', async (_what, admin) => {
  await expect(start(admin)).rejects.toThrow('DefaultAdmin')
  expect(users()).toEqual([])
})

const settings = { DEFAULT_ADMIN_LOGIN: 'root', FEATURE_AUTHENTICATION: 'enabled' }
const passwordsIn = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('default admin'))
    .map(
      (line) =>
        JSON.parse(line) as { readonly level: unknown; readonly login: string; readonly password: string },
    )

/** What some servers logged about a default admin, once there is a line: log lines are buffered briefly. */
const passwordsOf = (servers: readonly Svcd[]) =>
  until('a default admin is logged', () => {
    const lines = servers.flatMap((server) => passwordsIn(server.log()))
    return lines.length > 0 && lines
  })

test('a missing password is generated and logged once, as a warning', async () => {
  const first = await startSvcd(directory, settings)
  const lines = await passwordsOf([first])
  const password = lines[0]?.password ?? ''
  expect(lines).toMatchObject([
    { login: 'root', password: expect.stringMatching(/^[0-9A-Za-z]{32}$/) as string },
  ])
  expect(['warn', 40]).toContain(lines[0]?.level)
  await signIn(first, { login: 'root', password })
  first.kill('SIGTERM')
  expect(await first.ended).toMatchObject({ status: 0 })

  const second = await startSvcd(directory, settings)
  await signIn(second, { login: 'root', password })
  second.kill('SIGTERM')
  const { output, stderr } = await second.ended
  expect(passwordsIn(stderr)).toEqual([])
  expect(output + stderr).not.toContain(password)
})

test('of two processes that start at once, one logs the password, and it is correct', async () => {
  const servers = await Promise.all([startSvcd(directory, settings), startSvcd(directory, settings)])
  const lines = await passwordsOf(servers)
  expect(lines).toHaveLength(1)
  for (const server of servers) {
    await signIn(server, { login: 'root', password: lines[0]?.password ?? '' })
    server.kill('SIGTERM')
  }
  for (const server of servers) expect(await server.ended).toMatchObject({ status: 0 })
  expect(servers.flatMap((server) => passwordsIn(server.log()))).toHaveLength(1)
})

test('a configured password is never logged', async () => {
  const password = 'canary-password'
  const server = await startSvcd(directory, {
    ...settings,
    DEFAULT_ADMIN_PASSWORD: password,
    LOG_LEVEL: 'debug',
  })
  await signIn(server, { login: 'root', password })
  server.kill('SIGTERM')
  const { output, stderr } = await server.ended
  expect(output + stderr).not.toContain(password)
  expect(stderr).toContain('/auth/local/login')
})
