import { expect, test } from 'vitest'
import { archiveName, pathOfSender } from './received.ts'

test.each([
  [['Photos of the party', 'Grace Hopper'], 'Photos of the party – Grace Hopper'],
  [['Photos', ''], 'Photos'],
  [['', ''], 'fallback'],
  [['../a\\b:c', 'D/E'], 'a_b_c – D E'],
  [['...', ''], 'fallback'],
  [['😀'.repeat(120), 'Ada'], '😀'.repeat(62)],
  [['con', ''], '_con'],
])('the zip of %j is named %j', (words, name) => {
  expect(archiveName(words, 'fallback')).toBe(name)
})

test.each([
  ['Ada', 'Ada 0123456789abcdef/trip/a.txt'],
  ['', '0123456789abcdef/trip/a.txt'],
  ['../Mallory/x', '.._Mallory_x 0123456789abcdef/trip/a.txt'],
])('in a zip of several uploads, a file of %j is %j', (sender, path) => {
  expect(pathOfSender({ uploadID: '0123456789abcdef', name: 'trip/a.txt' }, sender)).toBe(path)
})
