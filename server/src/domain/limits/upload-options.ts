/** One bit for each option that lists filter by: database indexes then need a single number. */
const bits = { oneShot: 1, removable: 2, stream: 4, extendTtl: 8, password: 16, e2ee: 32 } as const

export type FilteredOption = keyof typeof bits

/** The bits of an upload's options. */
export function optionBits(has: Readonly<Record<FilteredOption, boolean>>): number {
  return sumOf((option) => has[option])
}

/** The options of some bits. */
export const optionsIn = (options: number): FilteredOption[] =>
  (Object.keys(bits) as FilteredOption[]).filter((option) => (options & bits[option]) !== 0)

/** The bits that a filter checks, and their required values. */
export function optionFilter(wanted: Readonly<Partial<Record<FilteredOption, boolean>>>): {
  readonly mask: number
  readonly value: number
} {
  return {
    mask: sumOf((option) => wanted[option] !== undefined),
    value: sumOf((option) => wanted[option] === true),
  }
}

/** All option bits that a filter accepts. */
export const optionValues = (wanted: Readonly<Partial<Record<FilteredOption, boolean>>>): number[] => {
  const { mask, value } = optionFilter(wanted)
  return Array.from({ length: 2 ** Object.keys(bits).length }, (_, options) => options).filter(
    (options) => (options & mask) === value,
  )
}

const sumOf = (counts: (option: FilteredOption) => boolean): number =>
  Object.entries(bits).reduce((sum, [option, bit]) => sum + (counts(option as FilteredOption) ? bit : 0), 0)
