import type { Payer } from '../../domain/access/payer.ts'

/** Announced bytes by the payer of their budgets. All exempt payers share the key null. */
export type AnnouncedBytes = ReadonlyMap<Payer | null, number>

/** The bytes that announcements withhold from other payers, at most. */
export interface WithheldLimits {
  /** By one payer. */
  readonly byOne: number
  /** By all payers together. */
  readonly byAll: number
}

/** Sums of announced bytes. Changes and reads take constant time for any number of payers. */
export interface ReservedBytes {
  /** Replaces all sums. */
  restart(announced: AnnouncedBytes, limits: WithheldLimits): void
  /** Adds announced bytes; negative ones are subtracted. */
  add(payer: Payer | null, bytes: number): void
  /**
   * The bytes that are reserved for a payer: all of its announcements, all of exempt payers, and a limited share of those
   * of the others.
   */
  seenBy(payer: Payer | null): number
}

export function reservedBytes(): ReservedBytes {
  let sums = new Map<Payer | null, number>()
  let limits: WithheldLimits = { byOne: 0, byAll: 0 }
  /** By payers that are not exempt, before the limit of all. */
  let withheld = 0
  const sumOf = (payer: Payer | null) => sums.get(payer) ?? 0
  const withheldBy = (payer: Payer | null) => (payer === null ? 0 : Math.min(sumOf(payer), limits.byOne))
  const add = (payer: Payer | null, bytes: number) => {
    withheld -= withheldBy(payer)
    sums.set(payer, sumOf(payer) + bytes)
    withheld += withheldBy(payer)
  }
  return {
    restart(announced, newLimits) {
      sums = new Map()
      limits = newLimits
      withheld = 0
      for (const [payer, bytes] of announced) add(payer, bytes)
    },
    add,
    seenBy(payer) {
      const exempt = payer === null ? 0 : sumOf(null)
      return sumOf(payer) + exempt + Math.min(withheld - withheldBy(payer), limits.byAll)
    },
  }
}
