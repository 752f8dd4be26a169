/** One bit for each option that uploads can be filtered by: databases then need a single number in their indexes. */
const bits = { oneShot: 1, removable: 2, stream: 4, extendTtl: 8, password: 16, e2ee: 32 } as const

export type FilteredOption = keyof typeof bits

/** Which options an upload has. */
export function optionBits(has: Readonly<Record<FilteredOption, boolean>>): number {
  return sumOf((option) => has[option])
}

/** The options behind their bits. */
export const optionsIn = (options: number): FilteredOption[] =>
  (Object.keys(bits) as FilteredOption[]).filter((option) => (options & bits[option]) !== 0)

/** What a filter looks at, and what it wants to see there. */
export function optionFilter(wanted: Readonly<Partial<Record<FilteredOption, boolean>>>): {
  readonly mask: number
  readonly value: number
} {
  return {
    mask: sumOf((option) => wanted[option] !== undefined),
    value: sumOf((option) => wanted[option] === true),
  }
}

/** All values that the bits of an upload can have and that a filter lets through. */
export const optionValues = (wanted: Readonly<Partial<Record<FilteredOption, boolean>>>): number[] => {
  const { mask, value } = optionFilter(wanted)
  return Array.from({ length: 2 ** Object.keys(bits).length }, (_, options) => options).filter(
    (options) => (options & mask) === value,
  )
}

const sumOf = (counts: (option: FilteredOption) => boolean): number =>
  Object.entries(bits).reduce((sum, [option, bit]) => sum + (counts(option as FilteredOption) ? bit : 0), 0)
