import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountsConfig, createUserToken, sessionIn } from '../../support/clients/accounts.ts'
import { jsonIn, type TestResponse } from '../../support/clients/send-request.ts'
import {
  startIdentityProvider,
  type Person,
  type TestIdentityProvider,
} from '../../support/identity-provider/identity-provider.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { emptyDirectory, startSvcd } from '../../support/servers/svcd.ts'
import { until } from '../../support/until.ts'
import { svcd } from '../../commands/command-line.ts'
import { write } from '../../support/databases/sqlite-writes.ts'
import { logIn, type ProviderName } from './provider-login.ts'
import {
  call,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

/** Under one name at every provider, and with an account of each that the provider calls the same for ever. */
const ada: Person = {
  login: 'ada',
  email: 'ada@example.test',
  customerCode: 'al-1815',
  subject: '1815',
  number: 1815,
  handle: 'h-1815',
}
/** Who has her names since she left. */
const heir: Person = { ...ada, name: 'Heir', subject: '1906', number: 1906, handle: 'h-1906' }

let provider: TestIdentityProvider
let server: ServerWithAccounts
beforeEach(async () => {
  provider = await startIdentityProvider({ people: [ada] })
  server = await startServerWithAccounts({
    config: { accounts: { ...accountsConfig, providers: provider.applications } },
  })
  return async () => {
    await server.close()
    await provider.stop()
  }
})

const names = [
  ['idp1', 'idp1:ada@example.test', '1815', '1906'],
  ['idp2', 'idp2:ada', '1815', '1906'],
  ['idp3', 'idp3:al-1815', 'h-1815', 'h-1906'],
] as const

const visit = (name: ProviderName) => logIn(server, provider, name, 'ada')
const refused = '/#/login?error=login_refused'
const allowed = '/#/login'
const whereTo = ({ headers }: TestResponse) => headers.location
const row = (id: string) => lookUp(server, `select json_array(accountId, name) from users where id = '${id}'`)
const rebind = (...args: string[]) => svcd(server.directory, ['user', 'rebind', ...args])

test.each(names)(
  'a person who takes over a name at %s does not get the account with this name',
  async (name, id, account) => {
    const first = sessionIn(await visit(name))
    expect(row(id)).toEqual([JSON.stringify([account, ''])])
    expect(whereTo(await visit(name))).toBe(allowed)
    provider.put(heir)
    const response = await visit(name)
    expect(whereTo(response)).toBe(refused)
    expect(sessionIn(response).cookie).not.toContain('svc-session')
    expect(row(id)).toEqual([JSON.stringify([account, ''])])
    provider.put(ada)
    expect(whereTo(await visit(name))).toBe(allowed)
    expect(jsonIn(await call(server, 'GET /me', { as: first }))).toMatchObject({ id })
  },
)

test.each(names)(
  'an admin allows an account at %s by its id, and no other',
  async (name, id, _old, account) => {
    await visit(name)
    provider.put(heir)
    expect(await rebind(id, '--to', 'another')).toMatchObject({ status: 0 })
    expect(whereTo(await visit(name))).toBe(refused)
    expect(await rebind(id, '--to', account)).toMatchObject({
      status: 0,
      output: `account ${account} can sign in as ${id}\n`,
    })
    expect(whereTo(await visit(name))).toBe(allowed)
    expect(row(id)).toEqual([JSON.stringify([account, 'Heir'])])
    provider.put(ada)
    expect(whereTo(await visit(name))).toBe(refused)
  },
)

test('without an id, the next account with the name takes over, and the sessions of the previous one end', async () => {
  const session = sessionIn(await visit('idp2'))
  const token = await createUserToken(server, session)
  provider.put(heir)
  expect(await rebind('idp2:ada')).toMatchObject({
    output: 'the next account with this name that signs in is bound to idp2:ada\n',
  })
  const upload = await call(server, 'POST /upload', { headers: { 'x-svctoken': token }, body: {} })
  expect([(await call(server, 'GET /me', { as: session })).status, upload.status]).toEqual([403, 403])
  expect(whereTo(await visit('idp2'))).toBe(allowed)
  expect(row('idp2:ada')).toEqual([JSON.stringify(['1906', 'Heir'])])
})

test('a user of an earlier version, or one that an admin created, is the first account that signs in', async () => {
  await visit('idp2')
  await write(server, "update users set accountId = null where id = 'idp2:ada'")
  const body = { provider: 'idp1', login: 'ada@example.test' }
  await call(server, 'POST /user', { as: server.admin, body })
  for (const name of ['idp1', 'idp2'] as const) expect(whereTo(await visit(name))).toBe(allowed)
  provider.put(heir)
  for (const name of ['idp1', 'idp2'] as const) expect(whereTo(await visit(name))).toBe(refused)
})

test('of two accounts that sign in under one name at once, one is the first', async () => {
  provider.put({ ...heir, login: 'heir' })
  const responses = await Promise.all(
    ['ada', 'heir', 'ada', 'heir'].map((login) => logIn(server, provider, 'idp1', login)),
  )
  const found = responses.map(whereTo)
  expect([...new Set([found.slice(0, 2), found.slice(2)].map(String))]).toHaveLength(1)
  expect(found.slice(0, 2).toSorted()).toEqual([allowed, refused])
})

test.each([
  [['root'], 1, 'a local user signs in with a password'],
  [['idp2:nobody'], 1, 'the user idp2:nobody does not exist'],
  [['idp2:ada', '--to='], 2, '--to must be an id'],
])('user rebind %j ends with status %i and says why', async (args, status, reason) => {
  const outcome = await rebind(...args)
  expect(outcome.status).toBe(status)
  expect(outcome.stderr).toContain(reason)
})

test('the log has the event, and what an admin can do', async () => {
  const { idp2 } = provider.applications
  const ownServer = await startSvcd(await emptyDirectory(), {
    FEATURE_AUTHENTICATION: 'enabled',
    IDP2_API_CLIENT_ID: idp2.clientID,
    IDP2_API_SECRET: idp2.clientSecret,
    IDP2_AUTH_URL: idp2.authURL,
    IDP2_TOKEN_URL: idp2.tokenURL,
    IDP2_USER_INFO_URL: idp2.userInfoURL,
  })
  closing = async () => {
    ownServer.kill('SIGKILL')
    await ownServer.ended
  }
  expect(whereTo(await logIn(ownServer, provider, 'idp2', 'ada'))).toBe(allowed)
  provider.put(heir)
  expect(whereTo(await logIn(ownServer, provider, 'idp2', 'ada'))).toBe(refused)
  const words =
    'idp2:ada belongs to another account of the provider (1815, now 1906). An admin who knows that it is the same person ' +
    'allows it: svcd user rebind idp2:ada --to 1906'
  await until('the log says so', () => ownServer.log().includes(words))
})

let closing = () => Promise.resolve()
afterEach(() => closing())
