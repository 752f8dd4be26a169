import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recommendedCost } from '../../../src/auth/passwords.ts'
import { basic, errorIn, type TestResponse } from '../../support/clients/send-request.ts'
import { createUser, signIn, userPassword } from '../../support/clients/accounts.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import {
  call,
  freshAddress,
  freshLogin,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let login: string
let address: string
beforeAll(async () => {
  server = await startServerWithAccounts({ config: { trustedProxies: ['127.0.0.1'] } })
})
beforeEach(async () => {
  login = freshLogin()
  address = freshAddress()
  await createUser(server, server.admin, { login })
})
afterAll(() => server.close())

interface Try {
  /** Another server than that of most tests. */
  readonly at?: ServerWithAccounts
  readonly login?: string
  readonly password?: string
  readonly from?: string
}

const guess = ({ at = server, login: name = login, password = 'wrong horse', from = address }: Try = {}) =>
  call(at, 'POST /auth/local/login', {
    headers: { 'x-forwarded-for': from },
    body: { login: name, password },
  })
const statuses = async (count: number, how: Try = {}) => {
  const found: number[] = []
  for (let tried = 0; tried < count; tried++) found.push((await guess(how)).status)
  return found
}
const times = (count: number, status: number) => Array.from({ length: count }, () => status)
const refusedFor = ({ status, headers, text }: TestResponse) => [
  errorIn({ status, headers, text } as TestResponse),
  headers['retry-after'],
]
const tooMany = { status: 429, code: 'too_many_attempts' }
const right = { password: userPassword }

test('after ten wrong passwords, even the correct one is rejected until the window ends', async () => {
  expect(await statuses(10)).toEqual(times(10, 401))
  expect(refusedFor(await guess())).toEqual([tooMany, '300'])
  server.clock.advance(1)
  expect(refusedFor(await guess(right))).toEqual([tooMany, '300'])
  server.clock.advance(298_999)
  expect(refusedFor(await guess(right))).toEqual([tooMany, '1'])
  server.clock.advance(999)
  expect(refusedFor(await guess(right))).toEqual([tooMany, '1'])
  server.clock.advance(1)
  expect((await guess(right)).status).toBe(200)
})

test('a new window allows ten attempts again', async () => {
  await statuses(10)
  server.clock.advance(300_000)
  expect(await statuses(11)).toEqual([...times(10, 401), 429])
})

test('a rejected attempt does not extend the window', async () => {
  await statuses(10)
  server.clock.advance(200_000)
  expect(refusedFor(await guess())).toEqual([tooMany, '100'])
  server.clock.advance(100_000)
  expect((await guess(right)).status).toBe(200)
})

test('the correct password resets the count', async () => {
  expect(await statuses(9)).toEqual(times(9, 401))
  expect((await guess(right)).status).toBe(200)
  expect(await statuses(11)).toEqual([...times(10, 401), 429])
})

test('the correct password for one login does not reset the count of another', async () => {
  const mine = freshLogin()
  await createUser(server, server.admin, { login: mine })
  await statuses(9)
  expect((await guess({ login: mine, ...right })).status).toBe(200)
  expect(await statuses(2)).toEqual([401, 429])
})

test('the throttle of one address and login affects no other address and no other login', async () => {
  await statuses(11)
  expect((await guess({ from: freshAddress(), ...right })).status).toBe(200)
  const other = freshLogin()
  await createUser(server, server.admin, { login: other })
  expect((await guess({ login: other, ...right })).status).toBe(200)
})

test('unknown logins are counted like known ones', async () => {
  expect(await statuses(11, { login: freshLogin() })).toEqual([...times(10, 401), 429])
})

test('all addresses of an IPv6 network share a count, and the next network has another', async () => {
  for (let host = 0; host < 10; host++) {
    const from = `2001:db8:0:7::${host.toString(16)}`
    expect((await guess({ from })).status).toBe(401)
  }
  expect((await guess({ from: '2001:db8:0:7:ffff:ffff:ffff:ffff' })).status).toBe(429)
  expect((await guess({ from: '2001:0DB8:0000:0007:0000:0000:0000:0001' })).status).toBe(429)
  expect((await guess({ from: '2001:db8:0:8::1' })).status).toBe(401)
})

test('an IPv4 address shares its count with its IPv6 notation', async () => {
  expect(await statuses(10)).toEqual(times(10, 401))
  expect((await guess({ from: `::ffff:${address}` })).status).toBe(429)
})

test('behind a proxy that sends the ports of clients, a client has one count', async () => {
  for (let tried = 0; tried < 10; tried++) {
    expect((await guess({ from: `${address}:${String(50_000 + tried)}` })).status).toBe(401)
  }
  expect((await guess({ from: `${address}:60000` })).status).toBe(429)
  expect((await guess({ from: `${freshAddress()}:50000` })).status).toBe(401)
})

test('an address that a client forges in the header does not hide its own', async () => {
  for (let tried = 0; tried < 10; tried++) {
    expect((await guess({ from: `${freshAddress()}, ${address}` })).status).toBe(401)
  }
  expect((await guess({ from: `${freshAddress()}, ${address}` })).status).toBe(429)
})

test('of many parallel attempts, only ten are checked', async () => {
  const responses = await Promise.all(Array.from({ length: 40 }, () => guess()))
  const found = responses.map(({ status }) => status).sort()
  expect(found).toEqual([...times(10, 401), ...times(30, 429)])
})

test('an attempt that an overloaded server rejects is not counted', async () => {
  const config = { trustedProxies: ['127.0.0.1'] }
  const at = await startServerWithAccounts({ config, passwordCost: recommendedCost })
  // More at once than the queue holds, each from another address.
  const crowd = Array.from({ length: 120 }, () => guess({ at, login: freshLogin(), from: freshAddress() }))
  const busy = Promise.withResolvers<undefined>()
  for (const attempt of crowd)
    void attempt.then(({ status }) => {
      if (status === 503) busy.resolve(undefined)
    })
  await busy.promise
  const responses = await Promise.all(Array.from({ length: 10 }, () => guess({ at })))
  await Promise.all(crowd)
  expect(responses.map(({ status }) => status)).toContain(503)
  const left = responses.filter(({ status }) => status === 503).length
  expect(await statuses(left + 1, { at })).toEqual([...times(left, 401), 429])
  await at.close()
})

test('ten parallel correct passwords are all accepted, and leave no count', async () => {
  const responses = await Promise.all(Array.from({ length: 10 }, () => guess(right)))
  expect(responses.map(({ status }) => status)).toEqual(times(10, 200))
  expect(await statuses(11)).toEqual([...times(10, 401), 429])
})

test('one address has a hundred failed attempts over any number of logins', async () => {
  for (let tried = 0; tried < 100; tried++) {
    expect((await guess({ login: `guessed-${String(tried)}` })).status).toBe(401)
  }
  expect(refusedFor(await guess({ login: 'guessed-next' }))).toEqual([tooMany, '300'])
  expect((await guess(right)).status).toBe(429)
  expect((await guess({ from: freshAddress(), ...right })).status).toBe(200)
  server.clock.advance(300_000)
  expect((await guess(right)).status).toBe(200)
})

test('wrong current passwords are limited like failed logins', async () => {
  const session = await signIn(server, { login, password: userPassword })
  const change = (currentPassword: string) =>
    call(server, 'PATCH /me', {
      as: session,
      headers: { 'x-forwarded-for': address },
      body: { currentPassword, password: 'another one' },
    })
  for (let tried = 0; tried < 6; tried++) expect((await change('wrong horse')).status).toBe(401)
  expect(await statuses(5)).toEqual([...times(4, 401), 429])
  expect(errorIn(await change(userPassword))).toEqual(tooMany)
})

test('wrong passwords of an upload are limited to ten; its token, and clients that used the password before, continue', async () => {
  const { path, uploadToken } = await storeUpload(server, 'content', { login: 'l', password: 'right one' })
  const open = (password: string, from = address, name = 'l') =>
    call(server, `GET ${path}`, {
      headers: { authorization: basic(name, password), 'x-forwarded-for': from },
    })
  const friend = freshAddress()
  for (let tried = 0; tried < 5; tried++) {
    expect((await open('wrong')).status).toBe(401)
    expect((await open('right one', address, 'wrong')).status).toBe(401)
  }
  expect(refusedFor(await open('right one'))).toEqual([tooMany, '300'])
  expect((await open('right one', friend)).status).toBe(200)
  const headers = { 'x-uploadtoken': uploadToken, 'x-forwarded-for': address }
  expect((await call(server, `GET ${path}`, { headers })).status).toBe(200)
  const other = await storeUpload(server, 'content', { login: 'l', password: 'right one' })
  const authorization = basic('l', 'right one')
  const elsewhere = { headers: { authorization, 'x-forwarded-for': address } }
  expect((await call(server, `GET ${other.path}`, elsewhere)).status).toBe(200)
})

test('a throttled client is rejected with the correct password that another client has just used', async () => {
  const { path } = await storeUpload(server, 'content', { password: 'right one' })
  const open = (password: string, from: string) =>
    call(server, `GET ${path}`, {
      headers: { authorization: basic('svc', password), 'x-forwarded-for': from },
    })
  const recipient = freshAddress()
  expect((await open('right one', recipient)).status).toBe(200)
  for (let tried = 0; tried < 10; tried++)
    expect((await open(`wrong ${String(tried)}`, address)).status).toBe(401)
  expect(refusedFor(await open('right one', address))).toEqual([tooMany, '300'])
  expect((await open('right one', recipient)).status).toBe(200)
})

test('a throttled client does not recognize the password that a neighbour behind its address uses', async () => {
  const { path } = await storeUpload(server, 'content', { password: 'right one' })
  const open = async (password: string) => {
    const headers = { authorization: basic('svc', password), 'x-forwarded-for': address }
    return (await call(server, `GET ${path}`, { headers })).status
  }
  for (let tried = 0; tried < 10; tried++) expect(await open(`wrong ${String(tried)}`)).toBe(401)
  server.clock.advance(300_000)
  for (let tried = 0; tried < 9; tried++) expect(await open(`other ${String(tried)}`)).toBe(401)
  // The neighbour ends the count, and downloads again and again.
  expect(await open('right one')).toBe(200)
  expect(await open('right one')).toBe(200)
  for (let tried = 0; tried < 10; tried++) expect(await open(`third ${String(tried)}`)).toBe(401)
  expect(await open('one more')).toBe(429)
  expect(await open('right one')).toBe(429)
  server.clock.advance(300_000)
  expect(await open('right one')).toBe(200)
})

test('a request without a password is not counted', async () => {
  const { path } = await storeUpload(server, 'content', { password: 'right one' })
  const headers = { 'x-forwarded-for': address }
  for (let tried = 0; tried < 15; tried++)
    expect((await call(server, `GET ${path}`, { headers })).status).toBe(401)
  const authorization = basic('svc', 'right one')
  expect((await call(server, `GET ${path}`, { headers: { ...headers, authorization } })).status).toBe(200)
})

test('a page that shows many files of a protected upload at once gets them all', async () => {
  const { path } = await storeUpload(server, 'content', { password: 'right one' })
  const headers = { 'x-forwarded-for': address, authorization: basic('svc', 'right one') }
  const responses = await Promise.all(
    Array.from({ length: 40 }, () => call(server, `GET ${path}`, { headers })),
  )
  expect(responses.map(({ status }) => status)).toEqual(times(40, 200))
})

test('equal parallel attempts may count once, different ones count each', async () => {
  const { path } = await storeUpload(server, 'content', { password: 'right one' })
  const headers = { 'x-forwarded-for': address, authorization: basic('svc', 'wrong') }
  const responses = await Promise.all(
    Array.from({ length: 40 }, () => call(server, `GET ${path}`, { headers })),
  )
  expect(responses.every(({ status }) => status === 401 || status === 429)).toBe(true)
  const differently = Array.from({ length: 40 }, (_, n) =>
    call(server, `GET ${path}`, {
      headers: { ...headers, authorization: basic('svc', `wrong ${String(n)}`) },
    }),
  )
  const rejected = (await Promise.all(differently)).filter(({ status }) => status === 401)
  expect(rejected.length).toBeLessThanOrEqual(10)
})

test('without a trusted proxy, the address that a client sends is ignored', async () => {
  const direct = await startServerWithAccounts({ config: { trustedProxies: [] } })
  const name = freshLogin()
  await createUser(direct, direct.admin, { login: name })
  const from = (forwarded: string) =>
    call(direct, 'POST /auth/local/login', {
      headers: { 'x-forwarded-for': forwarded, 'x-real-ip': forwarded, forwarded: `for=${forwarded}` },
      body: { login: name, password: 'wrong horse' },
    })
  for (let tried = 0; tried < 10; tried++) expect((await from(freshAddress())).status).toBe(401)
  expect((await from(freshAddress())).status).toBe(429)
  await direct.close()
})

test('expired counts are removed by the next cleanup', async () => {
  await statuses(10)
  server.clock.advance(300_000)
  await server.clean()
  expect((await guess(right)).status).toBe(200)
})
