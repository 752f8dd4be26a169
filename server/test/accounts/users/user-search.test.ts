import type { Page, User } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { createUser } from '../../support/clients/accounts.ts'
import {
  call,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts()
  const people = [
    { login: 'alice', name: 'Alice Liddell', email: 'alice@wonder.test', admin: true },
    { login: 'bob_b', name: '100% Bob', email: 'BOB@Wonder.test' },
    { login: 'bobxb', name: 'Bob!', email: '' },
    { login: 'zoe', name: 'ZOË Ångström', email: 'ΖΩΗ@example.test' },
    { login: 'carol', name: 'O\'Neill, rov \\ "Carol"', provider: 'oidc' as const },
  ]
  for (const person of people) {
    server.clock.advance(1_000)
    await createUser(server, server.admin, person)
  }
})
afterAll(() => server.close())

const search = (query: string) => call(server, `GET /users/search?${query}`, { as: server.admin })
const findUsers = async (q: string, more = '') =>
  (jsonIn(await search(`q=${encodeURIComponent(q)}${more}`)) as User[]).map(({ login }) => login)
const listUsers = async (query: string) =>
  jsonIn(await call(server, `GET /users?${query}`, { as: server.admin })) as Page<User>

test('a part of login, name or email address is enough, in any case', async () => {
  expect(await findUsers('LICE')).toEqual(['alice'])
  expect(await findUsers('liddell')).toEqual(['alice'])
  expect(await findUsers('bob@w')).toEqual(['bob_b'])
  expect(await findUsers('wonder')).toEqual(['alice', 'bob_b'])
  expect(await findUsers('nobody here')).toEqual([])
})

test('pattern characters match themselves', async () => {
  expect(await findUsers('b_b')).toEqual(['bob_b'])
  expect(await findUsers('0%')).toEqual(['bob_b'])
  expect(await findUsers('%%')).toEqual([])
  expect(await findUsers('__')).toEqual([])
  expect(await findUsers('b!')).toEqual(['bobxb'])
  expect(await findUsers('\\ "')).toEqual(['carol'])
  expect(await findUsers("o'n")).toEqual(['carol'])
})

test('case is ignored in other alphabets, too', async () => {
  expect(await findUsers('zoë')).toEqual(['zoe'])
  expect(await findUsers('ZOË')).toEqual(['zoe'])
  expect(await findUsers('ångström')).toEqual(['zoe'])
  expect(await findUsers('ζω')).toEqual(['zoe'])
})

test('provider and admin filter the results, and the limit bounds them', async () => {
  expect(await findUsers('ro', '&provider=oidc')).toEqual(['carol'])
  expect(await findUsers('ro')).toEqual(['carol', 'root'])
  expect(await findUsers('ro', '&provider=local')).toEqual(['root'])
  expect(await findUsers('ro', '&admin=true')).toEqual(['root'])
  expect(await findUsers('ro', '&admin=false')).toEqual(['carol'])
  expect(await findUsers('ro', '&limit=1')).toEqual(['carol'])
})

test('ten users are returned without a limit', async () => {
  for (let count = 0; count < 11; count++) {
    await createUser(server, server.admin, { login: `many-${String(count)}`, provider: 'oidc' })
  }
  expect(await findUsers('many-')).toHaveLength(10)
  expect(await findUsers('many-', '&limit=500')).toHaveLength(11)
})

test.each([
  '',
  'q=',
  'q=a',
  'q=%F0%9F%97%BF',
  'q=ab&limit=0',
  'q=ab&limit=501',
  'q=ab&admin=yes',
  'q=ab&provider=x',
  'q=ab&q=cd',
])('the search %j is rejected', async (query) => {
  expect(errorIn(await search(query))).toEqual({ status: 400, code: 'invalid_request' })
})

test('the search text may be as long as the longest field of a user, and no longer', async () => {
  expect(await findUsers('🗿'.repeat(256))).toEqual([])
  for (const text of ['🗿'.repeat(257), '_'.repeat(26_000)]) {
    const response = await search(`q=${encodeURIComponent(text)}`)
    expect(errorIn(response)).toEqual({ status: 400, code: 'invalid_request' })
  }
})

test('no search response contains a password', async () => {
  const response = await search('q=alice')
  expect(Object.keys((jsonIn(response) as object[])[0] ?? {}).sort()).toEqual([
    'admin',
    'createdAt',
    'email',
    'id',
    'language',
    'login',
    'maxFileSize',
    'maxTTL',
    'maxUserSize',
    'name',
    'provider',
    'theme',
  ])
})

test('all users are listed newest first, filtered by provider and admin', async () => {
  const { results, total } = await listUsers('limit=500')
  expect(total).toBe(results.length)
  expect(results.at(-1)?.id).toBe('local:root')
  const dates = results.map(({ createdAt }) => createdAt)
  expect(dates).toEqual(dates.toSorted().reverse())
  const admins = await listUsers('admin=true&order=asc')
  expect(admins).toMatchObject({ total: 2, results: [{ login: 'root' }, { login: 'alice' }] })
  const foreign = await listUsers('provider=oidc&admin=false&limit=500')
  expect(foreign.results.every(({ provider }) => provider === 'oidc')).toBe(true)
  expect([foreign.total, (await listUsers('provider=idp1')).total]).toEqual([foreign.results.length, 0])
})
