import { withKey } from '@svc/contract'
import { expect, test } from 'vitest'
import { keyIn, markIn } from './link-key.ts'

test.for([
  ['#/?id=a#key=k7qm-abcd', 'k7qm-abcd'],
  ['#/?id=a&file=b#key=a-b%20c&d', 'a-b c&d'],
  ['#/?id=a&key=word', 'word'],
  ['#/?id=a&uploadToken=t#key=50%', '50%'],
  ['#/?id=a#key=a#key=b', 'a#key=b'],
  ['#/?id=a#key=', undefined],
  ['#/?id=a', undefined],
  ['#/?monkey=a', undefined],
  ['', undefined],
] as const)('the key in %s', ([fragment, key]) => {
  expect(keyIn(fragment)).toBe(key)
})

test.for(['k7qm-abcd', 'two words', 'a&b=c#d?e/f%', 'grüße 🗝', "'()*!~"])(
  '%s is read back from a link',
  (key) => {
    expect(keyIn(new URL(withKey('https://x.example/#/?id=a', key)).hash)).toBe(key)
  },
)

test('a link without encryption does not change', () => {
  expect(withKey('https://x.example/#/?id=a', undefined)).toBe('https://x.example/#/?id=a')
})

test.for([
  ['#/?id=a&manifest=1#key=k7qm-abcd', '1'],
  ['#/?id=a#manifest=1#key=k7qm-abcd', '1'],
  ['#/?manifest=ab-_9&id=a', 'ab-_9'],
  ['#/?id=a&manifest=&file=b', ''],
  ['#/?id=a#key=b&manifest=1', undefined],
  ['#/?id=a#key=b#manifest=1', undefined],
  ['#/?id=a', undefined],
  ['', undefined],
] as const)('the mark of the manifest in %s', ([fragment, mark]) => {
  expect(markIn(fragment)).toBe(mark)
})

test.for(['https://x.example/#/?id=a', 'https://x.example/s/a'])('the mark is read back from %s', (url) => {
  const { hash } = new URL(withKey(url, 'two words', 'M4rk-_'))
  expect([markIn(hash), keyIn(hash)]).toEqual(['M4rk-_', 'two words'])
})
