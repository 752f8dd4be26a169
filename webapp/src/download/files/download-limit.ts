import type { Upload } from '@svc/contract'
import { availability } from '../../base/file-state.ts'

/** Whether downloads of an upload count, so that only the user may start one. */
export const isLimited = ({ maxDownloads }: Pick<Upload, 'maxDownloads'>): boolean =>
  maxDownloads !== undefined

/** How many times each of several files can still be downloaded, where that is the same number. */
export function sharedDownloadsLeft(upload: Upload): number | undefined {
  if (upload.oneShot || !isLimited(upload)) return undefined
  const left = upload.files
    .filter((file) => availability(file, upload) === 'ready')
    .map(({ downloadsLeft }) => downloadsLeft ?? 0)
  return left.length > 1 && left.every((count) => count === left[0]) ? left[0] : undefined
}
