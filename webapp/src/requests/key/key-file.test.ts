import { expect, test } from 'vitest'
import { identityIn, keyFile, requestIn } from './key-file.ts'

const identity = 'AGE-SECRET-KEY-1QQQ'

test('a key file is read back, and a title cannot add a line', () => {
  const key = { identity, recipient: 'age1q', fingerprint: 'f' }
  const text = keyFile(
    { title: 'a\nAGE-SECRET', createdAt: '2026-01-01T00:00:00Z' },
    key,
    'https://x.example/',
  )
  expect(text.split('\n')).toEqual([
    '# created: 2026-01-01T00:00:00Z',
    '# request: a AGE-SECRET',
    '# link: https://x.example/',
    '# public key: age1q',
    identity,
    '',
  ])
  expect(identityIn(text)).toBe(identity)
  expect(requestIn(text)).toBeUndefined()
})

test('the key file of a guest has what opens the request in another browser', () => {
  const key = { identity, recipient: 'age1q', fingerprint: 'f' }
  const text = keyFile(
    { title: 'a', createdAt: '2026-01-01T00:00:00Z', requestToken: 'Tok-en_1' },
    key,
    'https://x.example/svc/#/request?id=AbC-1&key=f',
  )
  expect(requestIn(text)).toEqual({ id: 'AbC-1', requestToken: 'Tok-en_1' })
  expect(identityIn(text)).toBe(identity)
})

test.for([
  [` ${identity.toLowerCase()} `, identity],
  ['age1qqq', undefined],
  ['', undefined],
] as const)('the key in %j', ([text, found]) => {
  expect(identityIn(text)).toBe(found)
})
