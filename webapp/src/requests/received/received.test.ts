import { expect, test } from 'vitest'
import { archiveName } from './received.ts'

test.each([
  [['Photos of the party', 'Grace Hopper'], 'Photos of the party – Grace Hopper'],
  [['Photos', ''], 'Photos'],
  [['', ''], 'fallback'],
  [['../a\\b:c', 'D/E'], 'a b c – D E'],
  [['...', ''], 'fallback'],
  [['😀'.repeat(120), 'Ada'], '😀'.repeat(100)],
])('the zip of %j is named %j', (words, name) => {
  expect(archiveName(words, 'fallback')).toBe(name)
})
