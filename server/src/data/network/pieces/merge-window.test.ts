import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeWindow, type MergeRules } from './merge-window.ts'

const rules: MergeRules = { run: 8, size: 1_000, limit: 40 }

/** Appends pieces, as many as the sizes tell, and merges before each as the rules say. */
function appendAll(added: Iterable<number>, { limit, ...rest }: MergeRules) {
  const sizes: number[] = []
  let moved = 0
  let most = 0
  for (const size of added) {
    const window = mergeWindow(sizes, { limit, ...rest })
    if (window === undefined) {
      if (sizes.length >= limit) return { sizes, moved, most, refused: true }
    } else {
      const run = sizes.slice(window.start, window.start + window.count)
      const sum = run.reduce((total, piece) => total + piece, 0)
      expect(sum).toBeLessThanOrEqual(rest.size)
      sizes.splice(window.start, window.count, sum)
      moved += sum
    }
    sizes.push(size)
    most = Math.max(most, sizes.length)
  }
  return { sizes, moved, most, refused: false }
}

describe('pieces that are made one', () => {
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

  test('leave a piece out that has more than an eighth of their bytes', () => {
    expect(mergeWindow([2, ...Array<number>(7).fill(1)], rules)).toBeUndefined()
    expect(mergeWindow([2, ...Array<number>(8).fill(1)], rules)).toEqual({ start: 1, count: 8 })
    const wide = { ...rules, run: 16 }
    expect(mergeWindow([2, ...Array<number>(15).fill(1)], wide)).toEqual({ start: 0, count: 16 })
    expect(mergeWindow([3, ...Array<number>(15).fill(1)], wide)).toBeUndefined()
  })

  test('are never more bytes than may be', () => {
    expect(mergeWindow(Array<number>(8).fill(125), rules)).toEqual({ start: 0, count: 8 })
    expect(mergeWindow(Array<number>(8).fill(126), rules)).toBeUndefined()
  })

  test('are few, and few bytes are moved, though thousands of small ones come', () => {
    const bounds = { run: 64, size: 2 ** 25, limit: 1_000 }
    const { sizes, moved, most } = appendAll(Array<number>(20_000).fill(1_024), bounds)
    expect(most).toBeLessThan(250)
    expect(moved).toBeLessThan(3 * 20_000 * 1_024)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20_000 * 1_024)
  })

  test('are always found for a file of half the limit times the size, whatever comes', () => {
    const half = (rules.limit / 2) * rules.size
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
        const { refused, most } = appendAll(fitting, rules)
        expect(refused).toBe(false)
        expect(most).toBeLessThanOrEqual(rules.limit)
      }),
      { numRuns: 500 },
    )
  })

  test('are not found where no two neighbours fit together', () => {
    expect(mergeWindow(Array<number>(rules.limit).fill(501), rules)).toBeUndefined()
    expect(mergeWindow([...Array<number>(rules.limit - 1).fill(501), 499, 501], rules)).toEqual({
      start: rules.limit - 2,
      count: 2,
    })
  })
})
