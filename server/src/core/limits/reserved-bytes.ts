import type { Payer } from '../../domain/access/payer.ts'

/** Announced bytes by the payer of their budgets; null for all that are exempt. */
export type AnnouncedBytes = ReadonlyMap<Payer | null, number>

/** The sums of what is announced: each change and each question takes the same time, however many payers there are. */
export interface ReservedBytes {
  /**
   * Begins anew.
   * @param most bytes that the announcements of one payer withhold from others
   */
  restart(announced: AnnouncedBytes, most: number): void
  /** Adds announced bytes, or takes some away when negative. */
  add(payer: Payer | null, bytes: number): void
  /** The bytes that a payer finds reserved: all of its announcements, and a limited part of those of each other payer. */
  seenBy(payer: Payer | null): number
}

export function reservedBytes(): ReservedBytes {
  let sums = new Map<Payer | null, number>()
  let most = 0
  let withheld = 0
  const withheldBy = (payer: Payer | null, bytes: number) => (payer === null ? bytes : Math.min(bytes, most))
  const add = (payer: Payer | null, bytes: number) => {
    const before = sums.get(payer) ?? 0
    sums.set(payer, before + bytes)
    withheld += withheldBy(payer, before + bytes) - withheldBy(payer, before)
  }
  return {
    restart(announced, newMost) {
      sums = new Map()
      most = newMost
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
