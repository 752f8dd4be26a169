import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { caretAfter, formatCode, isComplete } from './code.ts'

describe('a code', () => {
  test.for([
    ['', ''],
    ['abcd', 'ABCD'],
    ['abcd-', 'ABCD'],
    ['abcde', 'ABCD-E'],
    ['ABCD-EFGH', 'ABCD-EFGH'],
    [' abcd efgh\n', 'ABCD-EFGH'],
    ['ab–cd.ef_gh', 'ABCD-EFGH'],
    ['abcdefghijk', 'ABCD-EFGH'],
    ['<script>', 'SCRI-PT'],
    ['äöü2345', '2345'],
  ] as const)('typed as %j is %s', ([typed, written]) => {
    expect(formatCode(typed)).toBe(written)
  })

  test('does not change once it is formatted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (typed) => {
        const written = formatCode(typed)
        expect(written).toMatch(/^(?:[A-Z0-9]{0,4}|[A-Z0-9]{4}-[A-Z0-9]{1,4})$/)
        expect(formatCode(written)).toBe(written)
      }),
    )
  })

  test.for([
    ['', false],
    ['ABCD', false],
    ['ABCD-EFG', false],
    ['ABCD-EFGH', true],
  ] as const)('%s is complete: %s', ([code, complete]) => {
    expect(isComplete(code)).toBe(complete)
  })
})

test.for([
  ['abcde', 5, 6],
  ['abxcd-ef', 3, 3],
  ['ABCDE-FGH', 5, 6],
  ['abcd-efgh', 0, 0],
] as const)('in %s the caret at %i goes to %i', ([typed, caret, expected]) => {
  expect(caretAfter(typed, caret)).toBe(expected)
})
