import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withPaths } from './file-listing.ts'

const pathsOf = (names: readonly string[], ids = names.map((_, index) => `id${String(index)}`)) =>
  withPaths(names.map((fileName, index) => ({ fileName, id: ids[index] ?? '' }))).map(({ path }) => path)

test('files have their names as paths; others have their ids before them', () => {
  expect(pathsOf(['a', 'b/c', 'a', 'b', 'b/c/d', 'b-c'])).toEqual([
    'a',
    'id1/b/c',
    'id2/a',
    'id3/b',
    'b/c/d',
    'b-c',
  ])
  expect(pathsOf(['x/y', 'z'], ['z', 'x'])).toEqual(['z/x/y', 'x/z'])
})

test('no path is that of another file or of a folder', () => {
  const name = fc
    .array(fc.constantFrom('a', 'b', 'a-', 'a.', 'a0', 'é', '\u{1f600}'), { minLength: 1, maxLength: 4 })
    .map((segments) => segments.join('/'))
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), (names) => {
      const paths = pathsOf(names)
      expect(new Set(paths).size).toBe(paths.length)
      for (const path of paths) expect(paths.some((other) => other.startsWith(`${path}/`))).toBe(false)
    }),
  )
})

test('a thousand names with five hundred folders each are compared without all their folders', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `f${String(index)}/${'a/'.repeat(505)}x`)
  expect(pathsOf(names)).toEqual(names)
})
