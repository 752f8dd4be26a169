import { expect, test } from 'vitest'
import { closestWord } from './closest-word.ts'

const known = ['oneshot', 'removable', 'stream', 'ttl', 'extend-ttl', 'server', 'json']

test.each([
  ['one-shot', 'oneshot'],
  ['onehsot', 'oneshot'],
  ['remov', 'removable'],
  ['sever', 'server'],
  ['jsno', 'json'],
  ['tll', 'ttl'],
  ['verbose', undefined],
  ['x', undefined],
])('%s is taken for %s', (word, meant) => {
  expect(closestWord(word, known)).toBe(meant)
})
