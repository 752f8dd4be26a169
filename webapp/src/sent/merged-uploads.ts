import type { Upload } from '@svc/contract'
import { shownSize } from '../encryption/shown-size.ts'
import { withoutManifest } from '../encryption/without-manifest.ts'
import { newestFirst, sentUpload, type SentUpload } from './store/sent-upload.ts'

/** An upload of the server's list, in the form of an entry. */
const listedUpload = (upload: Upload): SentUpload =>
  sentUpload(
    upload,
    withoutManifest(upload).map((file) => ({ name: file.fileName, file })),
    ({ name, file }) => ({ name, size: shownSize(upload, file), modified: 0 }),
  )

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
