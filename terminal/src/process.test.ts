import { expect, test } from 'vitest'
import { isDefect, withProcess } from './process.ts'

test('the properties of a program are read at their use', () => {
  let reads = 0
  const program = withProcess({
    get script() {
      reads += 1
      return 'svc.mjs'
    },
  })
  expect(reads).toBe(0)
  expect([program.script, program.directory, reads]).toEqual(['svc.mjs', process.cwd(), 1])
})

test.for([
  [new TypeError('x is not a function'), true],
  [new RangeError('too much recursion'), true],
  [new Error('no such file'), false],
  ['text', false],
] as const)('%s is a defect: %s', ([error, defect]) => {
  expect(isDefect(error)).toBe(defect)
})
