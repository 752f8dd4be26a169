import { expect, test } from 'vitest'
import { uniqueName } from './unique-name.ts'

test.for([
  ['a.txt', [], 'a.txt'],
  ['a.txt', ['b.txt'], 'a.txt'],
  ['a.txt', ['a.txt'], 'a 2.txt'],
  ['a.txt', ['a.txt', 'a 2.txt', 'a 3.txt'], 'a 4.txt'],
  ['a', ['a'], 'a 2'],
  ['.env', ['.env'], '.env 2'],
  ['a.tar.gz', ['a.tar.gz'], 'a.tar 2.gz'],
] as const)('%s next to %j becomes %s', ([wish, taken, name]) => {
  expect(uniqueName(wish, taken)).toBe(name)
})
