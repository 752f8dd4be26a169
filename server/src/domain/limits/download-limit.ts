import { isGoneFile, isManifest, maxFreeManifestBytes, type FlagValue } from '@svc/contract'
import { invalidRequest, optionDisabled, optionRequired } from '../errors.ts'
import { bit, type Bit, type FileRecord, type UploadRecord } from '../records.ts'
import { resolveBooleanOption } from './features.ts'

type LimitedUpload = Pick<UploadRecord, 'maxDownloads' | 'oneShot'>

/** How many times each file of an upload can be downloaded; null without a limit. */
export const downloadLimit = ({ oneShot, maxDownloads }: LimitedUpload): number | null =>
  oneShot === 1 ? 1 : maxDownloads

/** Whether its files have a limit of downloads. */
export const isLimited = (upload: LimitedUpload): boolean => downloadLimit(upload) !== null

/**
 * Whether a file is read without a download. Clients read the manifest of an encrypted upload to verify the other files, before
 * anything is downloaded.
 */
export const isFreeManifest = (
  upload: Pick<UploadRecord, 'e2ee'>,
  file: Pick<FileRecord, 'fileName' | 'fileSize'>,
): boolean => isManifest(upload, file) && file.fileSize <= maxFreeManifestBytes

/** Whether downloads of a file count, so that they need a claim. */
export const isCounted = (
  upload: LimitedUpload & Pick<UploadRecord, 'e2ee'>,
  file: Pick<FileRecord, 'fileName' | 'fileSize'>,
): boolean => isLimited(upload) && !isFreeManifest(upload, file)

/** How many times a file can still be downloaded. */
export function downloadsLeft({ status, downloads }: FileRecord, limit: number): number {
  return isGoneFile({ status }) ? 0 : Math.max(0, limit - downloads)
}

/** Whether a file is gone because all of its downloads are used, and not because it was removed before. */
export const isUsedUp = ({ status, downloads }: FileRecord, maxDownloads: number): boolean =>
  isGoneFile({ status }) && downloads >= maxDownloads

export interface RequestedLimit {
  readonly oneShot: boolean | undefined
  readonly maxDownloads: number | undefined
  readonly stream: Bit
}

/**
 * The download limit of a new upload. `FeatureOneShot` controls every limit, because one-shot is a limit of 1.
 * @throws ServiceError `option_disabled`, `option_required` when the server allows only one download, `invalid_request`
 */
export function decideDownloads(
  flag: FlagValue,
  { oneShot, maxDownloads, stream }: RequestedLimit,
): LimitedUpload {
  if (maxDownloads === undefined)
    return { oneShot: bit(resolveBooleanOption(flag, oneShot, 'oneShot')), maxDownloads: null }
  if (flag === 'disabled') throw optionDisabled('maxDownloads')
  if (maxDownloads === 1) return { oneShot: 1, maxDownloads: null }
  if (flag === 'forced') throw optionRequired('oneShot')
  if (oneShot === true)
    throw invalidRequest('oneShot allows one download, maxDownloads more: send one of them')
  if (stream === 1) throw invalidRequest('a stream can be downloaded once: send stream or maxDownloads')
  return { oneShot: 0, maxDownloads }
}
