import { unlimited, type FlagValue } from '@svc/contract'
import { infiniteTtl } from '../errors.ts'

/** Seconds; a maximum of 0 or less means no limit. */
export interface LifetimeLimits {
  readonly defaultTTL: number
  readonly maxTTL: number
}

/**
 * The time to live of a new upload, in seconds; -1 means unlimited (docs/protocol.md#limits).
 * @param requested seconds; 0 means the default, negative means unlimited
 * @throws ServiceError `infinite_ttl` when there is a maximum
 */
export function effectiveTTL(requested: number, limits: LifetimeLimits, setTTL: FlagValue): number {
  const ttl = setTTL === 'disabled' || requested === 0 ? limits.defaultTTL : requested
  if (limits.maxTTL <= 0) return ttl < 0 ? unlimited : ttl
  if (ttl < 0) {
    if (requested < 0 && setTTL !== 'disabled') throw infiniteTtl(limits.maxTTL)
    return limits.maxTTL
  }
  return Math.min(ttl, limits.maxTTL)
}

/** The last time in RFC 3339: years have four digits. */
const maxTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** When an upload expires, in milliseconds since the epoch; `null` means never. */
export const expiryAfter = (now: number, ttl: number): number | null =>
  ttl < 0 ? null : Math.min(now + ttl * 1000, maxTime)

interface ExpiringUpload {
  readonly deletedAt: number | null
  readonly expireAt: number | null
}

/** Whether its time to live is over, regardless of its status. */
export const isExpired = ({ expireAt }: Pick<ExpiringUpload, 'expireAt'>, now: number): boolean =>
  expireAt !== null && expireAt <= now

export const hasEnded = (upload: ExpiringUpload, now: number): boolean =>
  upload.deletedAt !== null || isExpired(upload, now)

/**
 * The minimum extension by a download: a minute, or a tenth of a shorter life, so that not every download writes a
 * row.
 */
const minExtension = (ttl: number) => Math.min(60_000, ttl * 100)

/**
 * The new expiry of an upload that a download extends.
 * @returns milliseconds since the epoch, or `null` when nothing must be written
 */
export function extendedExpiry(
  upload: { readonly extendTtl: 0 | 1; readonly ttl: number; readonly expireAt: number | null },
  now: number,
): number | null {
  if (upload.extendTtl === 0 || upload.expireAt === null) return null
  const end = expiryAfter(now, upload.ttl)
  return end !== null && end - upload.expireAt >= minExtension(upload.ttl) ? end : null
}
