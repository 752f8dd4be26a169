import { unlimited, type FlagValue } from '@svc/contract'
import { infiniteTtl } from '../errors.ts'

/** Seconds; 0 or less as a maximum means that there is none. */
export interface LifetimeLimits {
  readonly defaultTTL: number
  readonly maxTTL: number
}

/**
 * The time to live of a new upload, in seconds; -1 means for ever (specification §8, rule 5).
 * @param requested seconds; 0 means the default, negative means for ever
 * @throws ServiceError `infinite_ttl` when there is a maximum
 */
export function effectiveTTL(requested: number, limits: LifetimeLimits, setTTL: FlagValue): number {
  const asked = setTTL === 'disabled' || requested === 0 ? limits.defaultTTL : requested
  if (limits.maxTTL <= 0) return asked < 0 ? unlimited : asked
  if (asked < 0) {
    if (requested < 0 && setTTL !== 'disabled') throw infiniteTtl(limits.maxTTL)
    return limits.maxTTL
  }
  return Math.min(asked, limits.maxTTL)
}

/** The last moment that RFC 3339 can say: its years have four digits. */
const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** When an upload ends, in milliseconds since the epoch; `null` means never. */
export const endOf = (now: number, ttl: number): number | null =>
  ttl < 0 ? null : Math.min(now + ttl * 1000, endOfTime)

interface Lasting {
  readonly deletedAt: number | null
  readonly expireAt: number | null
}

/** Whether its time is over, whatever else has become of it. */
export const isExpired = ({ expireAt }: Pick<Lasting, 'expireAt'>, now: number): boolean =>
  expireAt !== null && expireAt <= now

export const isOver = (upload: Lasting, now: number): boolean =>
  upload.deletedAt !== null || isExpired(upload, now)

/** Downloads push the end at most once a minute, or in a tenth of a shorter life, so that reading does not become writing. */
const extendStepOf = (ttl: number) => Math.min(60_000, ttl * 100)

/**
 * The new end of an upload that a download prolongs.
 * @returns milliseconds since the epoch, or `null` when nothing is to be written
 */
export function extendedEnd(
  upload: { readonly extendTtl: 0 | 1; readonly ttl: number; readonly expireAt: number | null },
  now: number,
): number | null {
  if (upload.extendTtl === 0 || upload.expireAt === null) return null
  const end = endOf(now, upload.ttl)
  return end !== null && end - upload.expireAt >= extendStepOf(upload.ttl) ? end : null
}
