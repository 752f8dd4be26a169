import type { Payer } from '../../domain/access/payer.ts'

/** Announced bytes by the payer of their budgets. All exempt payers share the key null. */
export type AnnouncedBytes = ReadonlyMap<Payer | null, number>

/** Sums of announced bytes. Changes and reads take constant time for any number of payers. */
export interface ReservedBytes {
  /**
   * Replaces all sums.
   * @param max bytes that the announcements of one payer withhold from others
   */
  restart(announced: AnnouncedBytes, max: number): void
  /** Adds announced bytes; negative ones are subtracted. */
  add(payer: Payer | null, bytes: number): void
  /** The bytes that are reserved for a payer: all of its announcements, and a limited share of those of each other payer. */
  seenBy(payer: Payer | null): number
}

export function reservedBytes(): ReservedBytes {
  let sums = new Map<Payer | null, number>()
  let max = 0
  let withheld = 0
  const withheldBy = (payer: Payer | null, bytes: number) => (payer === null ? bytes : Math.min(bytes, max))
  const add = (payer: Payer | null, bytes: number) => {
    const before = sums.get(payer) ?? 0
    sums.set(payer, before + bytes)
    withheld += withheldBy(payer, before + bytes) - withheldBy(payer, before)
  }
  return {
    restart(announced, newMax) {
      sums = new Map()
      max = newMax
      withheld = 0
      for (const [payer, bytes] of announced) add(payer, bytes)
    },
    add,
    seenBy(payer) {
      const own = sums.get(payer) ?? 0
      return withheld - withheldBy(payer, own) + own
    },
  }
}
