import { isManifest, type File, type Upload } from '@svc/contract'
import { availability } from '../base/file-state.ts'
import { uploadEnd } from '../base/upload-end.ts'
import { withoutManifest } from '../encryption/without-manifest.ts'
import { currentFiles, lostFiles } from './current-files.ts'

/** What has become of a sent upload. */
export type SentStatus =
  | { readonly kind: 'checking' }
  /** The server did not respond, or refuses the status to this page. */
  | { readonly kind: 'unknown' }
  /** Files are missing, of which the sender can choose some again. */
  | { readonly kind: 'interrupted'; readonly arrived: number; readonly count: number }
  /** Only the manifest is missing, without which recipients use no file. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'available' }
  /** Files were cancelled or have failed; the others are there. */
  | { readonly kind: 'notUploaded'; readonly lost: number; readonly count: number }
  /** Downloads have used up the other files. */
  | { readonly kind: 'partly'; readonly left: number; readonly count: number }
  /** All files of a one-shot upload are downloaded. */
  | { readonly kind: 'taken' }
  /** All downloads of an upload with a download limit are used. */
  | { readonly kind: 'usedUp' }
  /** Live transfers. */
  | { readonly kind: 'live' }
  | { readonly kind: 'received' }
  | { readonly kind: 'notReceived' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'gone' }

/** Whether nothing is left on the server, so that the entry can only be taken off the list. */
export const isOver = ({ kind }: SentStatus): boolean =>
  ['taken', 'usedUp', 'received', 'notReceived', 'deleted', 'expired', 'gone'].includes(kind)

type Described = Pick<Upload, 'files' | 'oneShot' | 'maxDownloads' | 'stream' | 'e2ee'>

/** Whether it has not arrived whole, also as a file of a live transfer. */
const isComing = (file: File) => availability(file, { stream: false }) === 'coming'

export function statusOf(upload: Described): SentStatus {
  const { stream } = upload
  const files = currentFiles(withoutManifest(upload))
  const count = files.length
  const left = files.filter(({ status }) => status === 'uploaded').length
  const coming = files.filter(isComing)
  if (stream) {
    if (coming.length === 0) return { kind: uploadEnd(upload, files) === 'deleted' ? 'deleted' : 'received' }
    return { kind: coming.some(({ status }) => status === 'uploading') ? 'live' : 'notReceived' }
  }
  if (coming.length > 0) return { kind: 'interrupted', arrived: count - coming.length, count }
  if (left === 0) return { kind: uploadEnd(upload, files) }
  if (upload.files.some((file) => isManifest(upload, file) && isComing(file))) return { kind: 'unfinished' }
  const lost = lostFiles(upload.files).length
  if (lost > 0) return { kind: 'notUploaded', lost, count: count + lost }
  return left < count && (upload.oneShot || upload.maxDownloads !== undefined)
    ? { kind: 'partly', left, count }
    : { kind: 'available' }
}
