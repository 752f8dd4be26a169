/** When to merge parts, so that their number stays small even if each append is small. */
export interface MergeRules {
  /** Adjacent parts that one merge combines. A power of 2. */
  readonly count: number
  /** The most bytes of a merged part. */
  readonly maxSize: number
  /** The most parts of a file. At this limit, a merge may combine fewer parts, and parts of very different sizes. */
  readonly maxParts: number
}

export interface MergeWindow {
  readonly start: number
  readonly count: number
}

const largestShare = 1 / 8

/**
 * The parts to merge: the adjacent parts with the fewest bytes. A part with more than an eighth of the bytes is excluded, so
 * that each copied byte ends in a part that is at least eight times as large.
 * At the limit, two adjacent parts fit as long as the file is smaller than half the limit times the size: otherwise each
 * pair would have more bytes than the size.
 */
export function mergeWindow(
  sizes: readonly number[],
  { count, maxSize: size, maxParts: limit }: MergeRules,
): MergeWindow | undefined {
  if (sizes.length < limit)
    return smallest(sizes, count, (sum, largest) => sum <= size && largest <= sum * largestShare)
  for (let fewer = count; fewer >= 2; fewer /= 2) {
    const found = smallest(sizes, fewer, (sum) => sum <= size)
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
