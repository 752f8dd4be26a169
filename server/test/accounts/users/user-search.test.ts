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
const found = async (q: string, more = '') =>
  (jsonIn(await search(`q=${encodeURIComponent(q)}${more}`)) as User[]).map(({ login }) => login)
const listed = async (query: string) =>
  jsonIn(await call(server, `GET /users?${query}`, { as: server.admin })) as Page<User>

test('a part of login, name or email address is enough, in any case', async () => {
  expect(await found('LICE')).toEqual(['alice'])
  expect(await found('liddell')).toEqual(['alice'])
  expect(await found('bob@w')).toEqual(['bob_b'])
  expect(await found('wonder')).toEqual(['alice', 'bob_b'])
  expect(await found('nobody here')).toEqual([])
})

test('pattern characters match themselves', async () => {
  expect(await found('b_b')).toEqual(['bob_b'])
  expect(await found('0%')).toEqual(['bob_b'])
  expect(await found('%%')).toEqual([])
  expect(await found('__')).toEqual([])
  expect(await found('b!')).toEqual(['bobxb'])
  expect(await found('\\ "')).toEqual(['carol'])
  expect(await found("o'n")).toEqual(['carol'])
})

test('case is ignored in other alphabets, too', async () => {
  expect(await found('zoë')).toEqual(['zoe'])
  expect(await found('ZOË')).toEqual(['zoe'])
  expect(await found('ångström')).toEqual(['zoe'])
  expect(await found('ζω')).toEqual(['zoe'])
})

test('provider and admin filter the results, and the limit bounds them', async () => {
  expect(await found('ro', '&provider=oidc')).toEqual(['carol'])
  expect(await found('ro')).toEqual(['carol', 'root'])
  expect(await found('ro', '&provider=local')).toEqual(['root'])
  expect(await found('ro', '&admin=true')).toEqual(['root'])
  expect(await found('ro', '&admin=false')).toEqual(['carol'])
  expect(await found('ro', '&limit=1')).toEqual(['carol'])
})

test('ten users are returned without a limit', async () => {
  for (let count = 0; count < 11; count++) {
    await createUser(server, server.admin, { login: `many-${String(count)}`, provider: 'oidc' })
  }
  expect(await found('many-')).toHaveLength(10)
  expect(await found('many-', '&limit=500')).toHaveLength(11)
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
  expect(await found('🗿'.repeat(256))).toEqual([])
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
  const { results, total } = await listed('limit=500')
  expect(total).toBe(results.length)
  expect(results.at(-1)?.id).toBe('local:root')
  const dates = results.map(({ createdAt }) => createdAt)
  expect(dates).toEqual(dates.toSorted().reverse())
  const admins = await listed('admin=true&order=asc')
  expect(admins).toMatchObject({ total: 2, results: [{ login: 'root' }, { login: 'alice' }] })
  const foreign = await listed('provider=oidc&admin=false&limit=500')
  expect(foreign.results.every(({ provider }) => provider === 'oidc')).toBe(true)
  expect([foreign.total, (await listed('provider=idp1')).total]).toEqual([foreign.results.length, 0])
})
