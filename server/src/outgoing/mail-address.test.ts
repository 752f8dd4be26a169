import { expect, test } from 'vitest'
import { asciiAddress, isAddress, isPublicAddress } from './mail-address.ts'

test.each([
  'ada@mail.example',
  'ada.lovelace+svc@mail.example',
  "o'brien@mail.example",
  'a/b=c@mail.example',
  '_ada-x@mail.example',
  'ada@müller.example',
  'ada@例え.テスト',
  `${'a'.repeat(64)}@mail.example`,
])('%j is an address that links are sent to', (text) => {
  expect([isAddress(text), isPublicAddress(text)]).toEqual([true, true])
})

test.each([
  '',
  'ada',
  'ada@',
  '@mail.example',
  'a@b@c',
  'a@x.example,b@x.example',
  'a@x.example\nbcc:b@x.example',
  'a@x.example\n',
  '<a@x.example>',
  `${'a'.repeat(65)}@x.example`,
  `a@${'a.'.repeat(126)}example`,
  'v%evil@relay.example',
  'relay!v@x.example',
  '|id@x.example',
  '"|id"@x.example',
  '`id`@x.example',
  '/etc/passwd@x.example',
  '-oQ@x.example',
  '.a@x.example',
  'a.@x.example',
  'a..b@x.example',
  'ädä@x.example',
  '\u202Ea@x.example',
  'a\u00ADb@x.example',
  'a@x\u00AD.example',
  'a@x\u200B.example',
  'a@x\u202E.example',
  'a@x\u3164.example',
  'a@x\uFE0F.example',
  'a@x\0.example',
  'a@-x.example',
  'a@x..example',
  'a@.example',
  'a@x.example.',
  'a@x_y.example',
  'a@127.0.0.1',
  'a@[127.0.0.1]',
  'a@0x7f.1',
])('%j is not an address', (text) => {
  expect([isAddress(text), isPublicAddress(text)]).toEqual([false, false])
})

test('a domain without a dot is for the address of a profile, not for links', () => {
  expect([isAddress('root@localhost'), isPublicAddress('root@localhost')]).toEqual([true, false])
})

test('a domain is sent in ASCII', () => {
  expect(asciiAddress('Ada@MÜLLER.example')).toBe('Ada@xn--mller-kva.example')
})
