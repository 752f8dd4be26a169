import { expect, test } from 'vitest'
import { addressesIn, wrongAddress } from './addresses.ts'

test('addresses are separated by spaces, lines, commas and semicolons, and named once', () => {
  expect(addressesIn(' a@x.example, b@x.example;c@x.example\nd@x.example A@x.example ')).toEqual([
    'A@x.example',
    'b@x.example',
    'c@x.example',
    'd@x.example',
  ])
  expect(addressesIn(' \n')).toEqual([])
})

test('addresses are taken from what mail programs and pages copy', () => {
  expect(addressesIn('Ada <ada@x.example>')).toEqual(['ada@x.example'])
  expect(addressesIn('"Lovelace, Ada" <ada@x.example>, Bob B.<bob@x.example>; <c@x.example>')).toEqual([
    'ada@x.example',
    'bob@x.example',
    'c@x.example',
  ])
  expect(addressesIn('mailto:ada@x.example MAILTO:bob@x.example.')).toEqual([
    'ada@x.example',
    'bob@x.example',
  ])
  expect(addressesIn('<mailto:ada@x.example>.')).toEqual(['ada@x.example'])
  expect(addressesIn('ada@x.example.;')).toEqual(['ada@x.example'])
})

test('no address and no other word is lost beside a name', () => {
  expect(addressesIn('eve@x.example Ada <ada@x.example> bob')).toEqual([
    'eve@x.example',
    'ada@x.example',
    'bob',
  ])
  expect(addressesIn('eve, Ada <ada@x.example>')).toEqual(['eve', 'ada@x.example'])
  expect(addressesIn('"eve"')).toEqual(['"eve"'])
})

test('the first word that is not an address is found', () => {
  expect(wrongAddress(['a@x.example', 'jürgen@münchen.example'])).toBeUndefined()
  for (const word of ['ada', '@x.example', 'a@', 'a@b@c', '<a@x.example>'])
    expect(wrongAddress(['a@x.example', word])).toBe(word)
})
