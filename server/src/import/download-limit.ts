import { limits } from '@svc/contract'
import { bit } from '../domain/records.ts'
import type { Fields } from '../export/record-lines.ts'

/**
 * The limit of an upload whose files may be downloaded a number of times.
 * @param remaining at least 1; null without a limit. One that is above the maximum of this service is none
 */
export function downloadLimit(remaining: number | null): Pick<Fields<'upload'>, 'oneShot' | 'maxDownloads'> {
  const isLimited = remaining !== null && remaining > 1 && remaining <= limits.maxDownloads
  return { oneShot: bit(remaining === 1), maxDownloads: isLimited ? remaining : null }
}
