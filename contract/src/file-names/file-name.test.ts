import { expect, test } from 'vitest'
import { fileNameFault } from './file-name.ts'

test.for([
  ['a.txt', undefined],
  ['trip/day 1/ü#%&?.jpg', undefined],
  ['...', undefined],
  ['C:\\x', undefined],
  ['🎉'.repeat(1024), undefined],
  ['🎉'.repeat(1025), 'long'],
  ['a'.repeat(1025), 'long'],
  ['', 'empty'],
  ['a\nb', 'control'],
  ['a\u0000', 'control'],
  ['a\u0085b', 'control'],
  ['a\u2028b', 'control'],
  ['a\u202egpj.exe', 'direction'],
  ['\u2066a', 'direction'],
  ['a\u200fb', 'direction'],
  ['../a', 'dots'],
  ['a/./b', 'dots'],
  ['a//b', 'unnamed'],
  ['/a', 'unnamed'],
  ['a/', 'unnamed'],
  ['a\ud800', 'broken'],
] as const)('%j: %s', ([name, fault]) => {
  expect(fileNameFault(name)).toBe(fault)
})
