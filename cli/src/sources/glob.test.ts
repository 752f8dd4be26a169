import { expect, test } from 'vitest'
import { matchesGlob } from './glob.ts'

test.each([
  ['a.txt', 'a.txt', true],
  ['a.txt', 'docs/a.txt', true],
  ['a.txt', 'ba.txt', false],
  ['*.jpg', 'a/b/c.jpg', true],
  ['a/*.jpg', 'a/b/c.jpg', false],
  ['a/**.jpg', 'a/b/c.jpg', true],
  ['photo?.png', 'photo1.png', true],
  ['photo?.png', 'photo.png', false],
  ['a+(b).txt', 'a+(b).txt', true],
  ['*', 'anything', true],
])('%s and %s: %s', (pattern, name, fitting) => {
  expect(matchesGlob(pattern, name)).toBe(fitting)
})
