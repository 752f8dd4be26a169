import { createPublicKey } from 'node:crypto'
import { jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { newVapidKey, vapid } from './vapid.ts'

const now = Date.UTC(2026, 0, 1)
const endpoint = new URL('https://push.example.net/send/abc')

function keyOf(publicKey: string) {
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
}

const partsOf = (header: string) => /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), k=([\w-]{87})$/.exec(header) ?? []

test('the header has a token of RFC 8292 for the origin of the push service, at most a day long', async () => {
  const { publicKey, authorization } = vapid(newVapidKey(), 'https://svc.example')
  const [, token = '', key] = partsOf(await authorization(endpoint, now))
  expect(key).toBe(publicKey)
  const { payload, protectedHeader } = await jwtVerify(token, keyOf(publicKey), {
    currentDate: new Date(now),
    audience: 'https://push.example.net',
    subject: 'https://svc.example',
  })
  expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'ES256' })
  expect(payload.exp).toBe(now / 1000 + 43_200)
})

test('the token of the example of RFC 8292 (section 2.4) has the form of ours, and its key verifies it', async () => {
  const example =
    'eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA'
  const key = 'BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs'
  const { payload, protectedHeader } = await jwtVerify(example, keyOf(key), {
    currentDate: new Date(1_453_500_000_000),
  })
  const own = await vapid(newVapidKey(), 'mailto:push@example.com').authorization(endpoint, now)
  const [, token = ''] = partsOf(own)
  const [head = '', body = ''] = token
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  expect(JSON.parse(head)).toEqual(protectedHeader)
  expect(Object.keys(JSON.parse(body) as object).toSorted()).toEqual(Object.keys(payload).toSorted())
})

test('a token is used again until an hour before its end, and for its origin only', async () => {
  const { authorization } = vapid(newVapidKey(), null)
  const first = await authorization(endpoint, now)
  expect(await authorization(new URL('https://push.example.net/other'), now + 10.9 * 3_600_000)).toBe(first)
  expect(await authorization(endpoint, now + 11 * 3_600_000)).not.toBe(first)
  expect(await authorization(new URL('https://other.example'), now)).not.toBe(first)
})

test('a clock that was set back gets another token, which is not too long for the push service', async () => {
  const { publicKey, authorization } = vapid(newVapidKey(), null)
  await authorization(endpoint, now)
  const [, token = ''] = partsOf(await authorization(endpoint, now - 86_400_000))
  const { payload } = await jwtVerify(token, keyOf(publicKey), { currentDate: new Date(now - 86_400_000) })
  expect(payload.exp).toBe(now / 1000 - 86_400 + 43_200)
})
