import { expect, test } from 'vitest'
import { readOwnRequest, type OwnRequest } from './own-request.ts'

const request: OwnRequest = {
  id: 'r',
  title: 'Photos',
  createdAt: '2026-01-01T00:00:00Z',
  requestToken: 't',
  key: { identity: 'AGE-SECRET-KEY-1X', recipient: 'age1x', fingerprint: 'f' },
  isKeySaved: true,
  passkey: 'Y3JlZGVudGlhbA',
}

test('a stored request is read back', () => {
  expect(readOwnRequest(JSON.stringify(request))).toEqual(request)
})

test.for([
  ['no JSON', '{'],
  ['null', 'null'],
  ['without a title', JSON.stringify({ ...request, title: undefined })],
  ['with half a key', JSON.stringify({ ...request, key: { identity: 'x' } })],
  ['with a passkey that is not text', JSON.stringify({ ...request, passkey: {} })],
  ['with a token that is not text', JSON.stringify({ ...request, requestToken: 1 })],
])('an entry that is damaged is left out: %s', ([, stored = '']) => {
  expect(readOwnRequest(stored)).toBe(undefined)
})
