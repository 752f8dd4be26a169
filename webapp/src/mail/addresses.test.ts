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

test('the first word that is no address is found', () => {
  expect(wrongAddress(['a@x.example', 'jürgen@münchen.example'])).toBeUndefined()
  for (const word of ['ada', '@x.example', 'a@', 'a@b@c', '<a@x.example>'])
    expect(wrongAddress(['a@x.example', word])).toBe(word)
})
