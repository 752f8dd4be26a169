import type { FlagValue } from '@svc/contract'
import { invalidRequest, optionDisabled, optionRequired } from '../errors.ts'
import { bit, type Bit, type FileRecord, type UploadRecord } from '../records.ts'
import { decideOption } from './features.ts'

type Limited = Pick<UploadRecord, 'maxDownloads' | 'oneShot'>

/** How often each file of an upload can be downloaded; null without a limit. */
export const downloadLimit = ({ oneShot, maxDownloads }: Limited): number | null =>
  oneShot === 1 ? 1 : maxDownloads

/** Whether downloads count, so that they need a claim. */
export const isLimited = (upload: Limited): boolean => downloadLimit(upload) !== null

/** How often a file can still be downloaded. */
export function downloadsLeft({ status, downloads }: FileRecord, limit: number): number {
  return status === 'removed' || status === 'deleted' ? 0 : Math.max(0, limit - downloads)
}

export interface RequestedLimit {
  readonly oneShot: boolean | undefined
  readonly maxDownloads: number | undefined
  readonly stream: Bit
}

/**
 * The download limit of a new upload. `FeatureOneShot` controls every limit, because one-shot is a limit of 1.
 * @throws ServiceError `option_disabled`, `option_required` when the server allows only one download, `invalid_request`
 */
export function decideDownloads(flag: FlagValue, { oneShot, maxDownloads, stream }: RequestedLimit): Limited {
  if (maxDownloads === undefined)
    return { oneShot: bit(decideOption(flag, oneShot, 'oneShot')), maxDownloads: null }
  if (flag === 'disabled') throw optionDisabled('maxDownloads')
  if (maxDownloads === 1) return { oneShot: 1, maxDownloads: null }
  if (flag === 'forced') throw optionRequired('oneShot')
  if (oneShot === true)
    throw invalidRequest('oneShot allows one download, maxDownloads more: send one of them')
  if (stream === 1) throw invalidRequest('a stream can be downloaded once: send stream or maxDownloads')
  return { oneShot: 0, maxDownloads }
}
