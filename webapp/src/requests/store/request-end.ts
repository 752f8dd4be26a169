import type { UploadRequest } from '@svc/contract'

/** Interval in ms at which the page reads the clock. A response of the server may be newer than the last reading. */
export const clockInterval = 30_000

/** The keys of the words for each end. */
export const endTexts = {
  expired: 'sent.status.expired',
  closed: 'requests.isClosed',
  full: 'requests.isFull',
} as const

/**
 * Why a request accepts no more files; undefined while it does.
 * @param now ms since the epoch, at most `clockInterval` ago
 */
export function requestEnd(
  { expireAt, closed, open }: Pick<UploadRequest, 'expireAt' | 'closed' | 'open'>,
  now: number,
): keyof typeof endTexts | undefined {
  const left = expireAt === null ? Infinity : Date.parse(expireAt) - now
  if (left <= 0) return 'expired'
  if (closed) return 'closed'
  if (open) return undefined
  return left <= clockInterval ? 'expired' : 'full'
}
