import type { Upload } from '@svc/contract'
import { listedUpload, newestFirst, type SentUpload } from './store/sent-upload.ts'

/** The uploads of this device and those of the account, newest first. Only this device knows keys. */
export function mergedUploads(
  ofDevice: readonly SentUpload[],
  ofAccount: readonly Upload[],
): readonly SentUpload[] {
  const known = new Set(ofDevice.map(({ id }) => id))
  return [...ofDevice, ...ofAccount.filter(({ id }) => !known.has(id)).map(listedUpload)].toSorted(
    newestFirst,
  )
}
