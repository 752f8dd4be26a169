import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncateMiddle } from './truncate-middle.ts'

test.for([
  ['notes.txt', 'notes.txt', []],
  ['Family photo.jpg', 'Family ', ['ph', 'oto', '.jpg']],
  ['note 12.txt', 'note ', ['12', '.txt']],
  ['IMG_20260714_183012.jpg', 'IMG_20260714_', ['183', '012', '.jpg']],
  ['.hidden configuration', '.hidden configu', ['rat', 'ion']],
  ['a.spreadsheet', 'a.sprea', ['dsh', 'eet']],
  ['abc.numbers', 'abc', ['.numbers']],
  ['a photo of the harbour 12.jpg', 'a photo of the harb', ['our ', '12', '.jpg']],
  ['a long name without an extension', 'a long name without an ext', ['ens', 'ion']],
  ['a sentence. And then one more long one', 'a sentence. And then one more lo', ['ng ', 'one']],
  ['many families of emoji 👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧.png', 'many families of emoji ', ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', '.png']],
  ['דוח שנתי 2026.txt', 'דוח שנתי 2026', ['.txt']],
  ['חשבוניות של שנת 2026-11.pdf', 'חשבוניות של שנת 2026-11', ['.pdf']],
  ['report for חיפה, part 2026-11.pdf', 'report for חיפה, part 2026-11', ['.pdf']],
  ['تقرير نهائي عن المشروع.pdf', 'تقرير نهائي عن المشروع', ['.pdf']],
] as const)('%s is shortened between its parts', ([name, start, end]) => {
  expect(truncateMiddle(name)).toEqual({ start, end })
})

test('the parts are the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
      const { start, end } = truncateMiddle(name)
      expect([start, ...end].join('')).toBe(name)
      expect(start !== '' || name === '').toBe(true)
    }),
  )
})
