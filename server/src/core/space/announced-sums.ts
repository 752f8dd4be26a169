import type { BudgetKey } from '../../domain/access/budget-key.ts'

/** Announced bytes by budget key. All exempt networks and accounts share the key null. */
export type AnnouncedBytes = ReadonlyMap<BudgetKey | null, number>

/** Sums of announced bytes. Changes and reads take constant time for any number of keys. */
export interface AnnouncedSums {
  /**
   * Replaces all sums.
   * @param max bytes that the announcements of one budget key withhold from others
   */
  restart(announced: AnnouncedBytes, max: number): void
  /** Adds announced bytes; negative ones are subtracted. */
  add(key: BudgetKey | null, bytes: number): void
  /** The bytes that a new announcement cannot use: all with its key, and a limited share of those with each other key. */
  unavailableTo(key: BudgetKey | null): number
}

export function announcedSums(): AnnouncedSums {
  let sums = new Map<BudgetKey | null, number>()
  let max = 0
  let withheld = 0
  const withheldBy = (key: BudgetKey | null, bytes: number) => (key === null ? bytes : Math.min(bytes, max))
  const add = (key: BudgetKey | null, bytes: number) => {
    const before = sums.get(key) ?? 0
    sums.set(key, before + bytes)
    withheld += withheldBy(key, before + bytes) - withheldBy(key, before)
  }
  return {
    restart(announced, newMax) {
      sums = new Map()
      max = newMax
      withheld = 0
      for (const [key, bytes] of announced) add(key, bytes)
    },
    add,
    unavailableTo(key) {
      const own = sums.get(key) ?? 0
      return withheld - withheldBy(key, own) + own
    },
  }
}
