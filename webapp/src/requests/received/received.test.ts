import { expect, test } from 'vitest'
import { archiveName } from './received.ts'

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
