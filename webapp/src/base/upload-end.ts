import type { File, Upload } from '@svc/contract'
import { availability } from './file-state.ts'

/** Whether an upload had files, and none is left. */
export const isGoneUpload = (upload: Pick<Upload, 'files' | 'stream'>): boolean =>
  upload.files.length > 0 && upload.files.every((file) => availability(file, upload) === 'gone')

/** Why an upload has no files left: they were downloaded, no downloads are left, or they were deleted. */
export type UploadEnd = 'taken' | 'usedUp' | 'deleted'

/**
 * How an upload without files has ended.
 * @param files its current files, without the manifest
 */
export function uploadEnd(
  { oneShot, stream }: Pick<Upload, 'oneShot' | 'stream'>,
  files: readonly Pick<File, 'usedUp'>[],
): UploadEnd {
  // None of them has ever arrived.
  if (files.length === 0) return 'deleted'
  if (!files.some(({ usedUp }) => usedUp)) return 'deleted'
  return oneShot || stream ? 'taken' : 'usedUp'
}
