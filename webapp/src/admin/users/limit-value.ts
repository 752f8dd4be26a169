import { unlimited } from '@svc/contract'

/** Units of sizes in bytes (docs/protocol.md#limits) and of times in seconds, the smallest first. */
export const units = {
  size: { MB: 1e6, GB: 1e9, TB: 1e12 },
  time: { hours: 3600, days: 86_400 },
} as const

export type UnitName = keyof (typeof units)['size'] | keyof (typeof units)['time']

export interface Unit {
  readonly name: UnitName
  /** Bytes or seconds. */
  readonly factor: number
}

/** Unit of a limit. */
export type Measure = keyof typeof units

/** A limit as a form shows it: the server's (0), none (-1), or a custom one (docs/protocol.md#limits). */
export type LimitKind = 'server' | 'unlimited' | 'own'

export const unitsOf = (measure: Measure): readonly Unit[] =>
  Object.entries(units[measure]).map(([name, factor]) => ({ name: name as UnitName, factor }))

export function kindOf(limit: number): LimitKind {
  if (limit === 0) return 'server'
  return limit < 0 ? 'unlimited' : 'own'
}

/**
 * The largest unit that fits into a limit.
 * @param limit bytes or seconds, above 0
 */
export function unitFor(limit: number, measure: Measure): Unit {
  const all = unitsOf(measure)
  return all.findLast(({ factor }) => limit >= factor) ?? all[0] ?? { name: 'MB', factor: 1e6 }
}

/**
 * The limit of a form.
 * @returns undefined when a custom limit is not a number above 0, or is not a safe integer
 */
export function limitOf(kind: LimitKind, count: number, { factor }: Unit): number | undefined {
  switch (kind) {
    case 'server':
      return 0
    case 'unlimited':
      return unlimited
    case 'own': {
      const limit = Math.round(count * factor)
      return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined
    }
  }
}
