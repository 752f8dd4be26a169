/** When pieces are made one, so that their number stays small however little each append brings. */
export interface MergeRules {
  /** Pieces side by side that become one. A power of 2. */
  readonly run: number
  /** Most bytes of what they become. */
  readonly size: number
  /** Pieces of a file. Where there are so many, fewer than a run are merged, and very different ones, too. */
  readonly limit: number
}

export interface MergeWindow {
  readonly start: number
  readonly count: number
}

const largestShare = 1 / 8

/**
 * Which pieces to make one: the run with the fewest bytes. A piece with more than an eighth of them is left out: each
 * time that bytes are moved, they become part of a piece that is eight times as large at least.
 * At the limit, two neighbours that fit together are found as long as the file is smaller than half the limit times
 * the size: would no two fit, each pair would have more bytes than the size.
 */
export function mergeWindow(
  sizes: readonly number[],
  { run, size, limit }: MergeRules,
): MergeWindow | undefined {
  if (sizes.length < limit)
    return smallest(sizes, run, (sum, largest) => sum <= size && largest <= sum * largestShare)
  for (let count = run; count >= 2; count /= 2) {
    const found = smallest(sizes, count, (sum) => sum <= size)
    if (found !== undefined) return found
  }
  return undefined
}

function smallest(
  sizes: readonly number[],
  count: number,
  fits: (sum: number, largest: number) => boolean,
): MergeWindow | undefined {
  let found: MergeWindow | undefined
  let least = Infinity
  for (let start = 0; start + count <= sizes.length; start += 1) {
    const window = sizes.slice(start, start + count)
    const sum = window.reduce((total, size) => total + size, 0)
    if (sum >= least || !fits(sum, Math.max(...window))) continue
    least = sum
    found = { start, count }
  }
  return found
}
