import { unlimited } from '@svc/contract'

const hour = 3600
const day = 24 * hour
const usual = [hour, day, 7 * day, 30 * day] as const

export interface TtlLimits {
  /** Seconds; 0 or less means no limit (docs/protocol.md#limits). */
  readonly maxTTL: number
  readonly defaultTTL: number
}

/** The server's default in seconds; -1 means forever. */
export function presetTTL({ maxTTL, defaultTTL }: TtlLimits): number {
  if (maxTTL <= 0) return defaultTTL <= 0 ? unlimited : defaultTTL
  return defaultTTL <= 0 ? maxTTL : Math.min(defaultTTL, maxTTL)
}

/** Times to choose from, in seconds, the shortest first; -1 (forever) last, where the server allows it. */
export function ttlChoices(limits: TtlLimits): number[] {
  const { maxTTL } = limits
  const wanted = [...usual, presetTTL(limits), ...(maxTTL > 0 ? [maxTTL] : [])]
  const finite = wanted.filter((ttl) => ttl > 0 && (maxTTL <= 0 || ttl <= maxTTL))
  const choices = [...new Set(finite)].sort((a, b) => a - b)
  return maxTTL <= 0 ? [...choices, unlimited] : choices
}
