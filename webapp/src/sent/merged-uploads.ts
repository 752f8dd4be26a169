import type { Upload } from '@svc/contract'
import { listedUpload, newestFirst, type SentUpload } from './store/sent-upload.ts'

/**
 * The uploads of this device and those of the account, newest first, without those that its requests have received. Only this
 * device knows keys.
 */
export function mergedUploads(
  ofDevice: readonly SentUpload[],
  ofAccount: readonly Upload[],
): readonly SentUpload[] {
  const known = new Set(ofDevice.map(({ id }) => id))
  const others = ofAccount.filter(({ id, request }) => request === undefined && !known.has(id))
  return [...ofDevice, ...others.map(listedUpload)].toSorted(newestFirst)
}
