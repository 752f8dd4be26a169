import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeWindow, type MergeRules } from './merge-window.ts'

const rules: MergeRules = { count: 8, maxSize: 1_000, maxParts: 40 }

/** Appends parts of the given sizes, and merges before each of them according to the rules. */
function appendAll(added: Iterable<number>, { maxParts: limit, ...rest }: MergeRules) {
  const sizes: number[] = []
  let moved = 0
  let most = 0
  for (const size of added) {
    const window = mergeWindow(sizes, { maxParts: limit, ...rest })
    if (window === undefined) {
      if (sizes.length >= limit) return { sizes, moved, most, rejected: true }
    } else {
      const run = sizes.slice(window.start, window.start + window.count)
      const sum = run.reduce((total, part) => total + part, 0)
      expect(sum).toBeLessThanOrEqual(rest.maxSize)
      sizes.splice(window.start, window.count, sum)
      moved += sum
    }
    sizes.push(size)
    most = Math.max(most, sizes.length)
  }
  return { sizes, moved, most, rejected: false }
}

describe('parts to merge', () => {
  test('are the run with the fewest bytes', () => {
    const sizes = [
      900,
      ...Array<number>(10).fill(5),
      ...Array<number>(8).fill(2),
      ...Array<number>(8).fill(3),
    ]
    expect(mergeWindow(sizes, rules)).toEqual({ start: 11, count: 8 })
    expect(mergeWindow(Array<number>(7).fill(1), rules)).toBeUndefined()
  })

  test('exclude a part with more than an eighth of their bytes', () => {
    expect(mergeWindow([2, ...Array<number>(7).fill(1)], rules)).toBeUndefined()
    expect(mergeWindow([2, ...Array<number>(8).fill(1)], rules)).toEqual({ start: 1, count: 8 })
    const wide = { ...rules, count: 16 }
    expect(mergeWindow([2, ...Array<number>(15).fill(1)], wide)).toEqual({ start: 0, count: 16 })
    expect(mergeWindow([3, ...Array<number>(15).fill(1)], wide)).toBeUndefined()
  })

  test('never exceed the maximum size', () => {
    expect(mergeWindow(Array<number>(8).fill(125), rules)).toEqual({ start: 0, count: 8 })
    expect(mergeWindow(Array<number>(8).fill(126), rules)).toBeUndefined()
  })

  test('keep the number of parts small with few copied bytes, even for thousands of small parts', () => {
    const bounds = { count: 64, maxSize: 2 ** 25, maxParts: 1_000 }
    const { sizes, moved, most } = appendAll(Array<number>(20_000).fill(1_024), bounds)
    expect(most).toBeLessThan(250)
    expect(moved).toBeLessThan(3 * 20_000 * 1_024)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20_000 * 1_024)
  })

  test('are always found for a file of up to half the limit times the size', () => {
    const half = (rules.maxParts / 2) * rules.maxSize
    const sizes = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.constantFrom(1, 499, 501, 1_000)),
      {
        maxLength: 200,
      },
    )
    fc.assert(
      fc.property(sizes, (all) => {
        let left = half
        const fitting = all.filter((size) => {
          left -= size
          return left >= 0
        })
        const { rejected, most } = appendAll(fitting, rules)
        expect(rejected).toBe(false)
        expect(most).toBeLessThanOrEqual(rules.maxParts)
      }),
      { numRuns: 500 },
    )
  })

  test('are not found if no two adjacent parts fit', () => {
    expect(mergeWindow(Array<number>(rules.maxParts).fill(501), rules)).toBeUndefined()
    expect(mergeWindow([...Array<number>(rules.maxParts - 1).fill(501), 499, 501], rules)).toEqual({
      start: rules.maxParts - 2,
      count: 2,
    })
  })
})
