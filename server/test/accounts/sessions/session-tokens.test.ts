import fc from 'fast-check'
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorIn } from '../../support/clients/send-request.ts'
import { root, signIn } from '../../support/clients/accounts.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import {
  call,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
let token: string
let claims: JWTPayload
let key: Uint8Array
beforeAll(async () => {
  server = await startServerWithAccounts()
  token = (await signIn(server, root)).cookie.replace(/^svc-session=([^;]*).*$/, '$1')
  claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JWTPayload
  key = new TextEncoder().encode(
    String(lookUp(server, "select value from settings where key = 'sessionKey'")[0]),
  )
})
afterAll(() => server.close())

const present = (value: string) => call(server, 'GET /me', { headers: { cookie: `svc-session=${value}` } })
const sign = (changes: JWTPayload = {}, by = key, alg = 'HS256') =>
  new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg }).sign(by)
const without = (name: keyof JWTPayload) => {
  const rest = Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))
  return new SignJWT(rest).setProtectedHeader({ alg: 'HS256' }).sign(key)
}

test('the same claims signed with the same key are accepted: the next cases differ in one thing only', async () => {
  expect((await present(await sign())).status).toBe(200)
})

test.each<[string, () => Promise<string> | string]>([
  ['without a signature', () => new UnsecuredJWT(claims).encode()],
  ['that says it needs no signature and keeps it', () => withHeader({ alg: 'none' })],
  ['that writes so in another case', () => withHeader({ alg: 'nOnE' })],
  ['without its signature', () => token.split('.').slice(0, 2).join('.')],
  ['with an empty signature', () => `${token.split('.').slice(0, 2).join('.')}.`],
  ['of another key', () => sign({}, new TextEncoder().encode('k'.repeat(43)))],
  ['of an empty key', () => sign({}, new TextEncoder().encode('0'))],
  ['of another algorithm with the right key', () => sign({}, new Uint8Array([...key, ...key]), 'HS512')],
  ['with the right key and another algorithm', () => sign({}, key, 'HS384')],
  ['of a session that never was', () => sign({ jti: 'x'.repeat(32) })],
  ['of a session with no id', () => without('jti')],
  ['of an id that is a pattern', () => sign({ jti: '%' })],
  ['of an id that is not text', () => sign({ jti: { like: '%' } as never })],
  ['for another audience', () => sign({ aud: 'login oidc' })],
  ['for no audience', () => without('aud')],
  ['that never ends', () => without('exp')],
  ['that has ended', () => sign({ exp: Math.floor(server.clock.now() / 1000) })],
  ['that is not valid yet', () => sign({ nbf: Math.floor(server.clock.now() / 1000) + 60 })],
])('a token %s is not a session', async (_what, forge) => {
  const response = await present(await forge())
  expect(errorIn(response)).toEqual({ status: 403, code: 'invalid_session' })
  expect(response.headers['set-cookie']).toHaveLength(2)
})

function withHeader(header: object): string {
  const [, payload, signature] = token.split('.')
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), payload, signature].join('.')
}

test('a token with a later expiry than its session ends with the session', async () => {
  const other = await signIn(server, root)
  const value = other.cookie.replace(/^svc-session=([^;]*).*$/, '$1')
  const { jti } = JSON.parse(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString()) as JWTPayload
  const longer = await sign({ jti: jti ?? '', exp: 4_000_000_000 })
  expect((await present(longer)).status).toBe(200)
  await call(server, 'GET /auth/logout', { as: other })
  expect((await present(longer)).status).toBe(403)
})

test('a token with any one character changed is rejected', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // The last character of the signature has two bits that mean nothing.
  const place = fc.nat(token.length - 2).filter((at) => token[at] !== '.')
  await fc.assert(
    fc.asyncProperty(place, fc.constantFrom(...alphabet.split('')), async (at, character) => {
      fc.pre(token[at] !== character)
      const changed = token.slice(0, at) + character + token.slice(at + 1)
      expect(errorIn(await present(changed)).code).toBe('invalid_session')
    }),
    { numRuns: 150 },
  )
})

test('garbage is rejected, and the server does not fail', async () => {
  const part = fc.oneof(
    fc.base64String(),
    fc.json().map((json) => Buffer.from(json).toString('base64url')),
  )
  const printable = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 300,
  })
  const garbage = fc
    .oneof(
      printable,
      fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('.')),
    )
    .filter((value) => value.replace(/[;,"\s].*/s, '') !== '')
  await fc.assert(
    fc.asyncProperty(garbage, async (value) => {
      expect(errorIn(await present(value)).code).toBe('invalid_session')
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['an empty cookie', 'svc-session='],
  ['a cookie of another name', `my-svc-session=TOKEN`],
  ['a name in another case', `SVC-SESSION=TOKEN`],
  ['the XSRF cookie alone', 'svc-xsrf=TOKEN'],
])('%s is a guest’s', async (_what, cookie) => {
  const response = await call(server, 'GET /me', { headers: { cookie: cookie.replace('TOKEN', token) } })
  expect(errorIn(response)).toEqual({ status: 401, code: 'login_required' })
})

test('of two cookies with the name, the first counts', async () => {
  const status = async (cookie: string) => (await call(server, 'GET /me', { headers: { cookie } })).status
  expect(await status(`svc-session=x; svc-session=${token}`)).toBe(403)
  expect(await status(`svc-session=${token}; svc-session=x`)).toBe(200)
})
