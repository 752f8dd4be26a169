import type { Upload } from '@svc/contract'
import { describeUpload } from '../../core/uploads/describe-upload.ts'
import type { Service } from '../../core/service.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'

/** An upload as the API describes it to admins, with its size in bytes. */
export const describe = (
  service: Pick<Service, 'config'>,
  upload: UploadRecord,
  files: readonly FileRecord[],
): Upload & { readonly size: number } => ({
  ...describeUpload(service, upload, files, { admin: false, showOwner: true }),
  size: upload.size,
})

/** The options of an upload, for people. */
export function optionsOf(upload: UploadRecord): string {
  const options = [
    upload.oneShot === 1 && 'one-shot',
    upload.maxDownloads !== null && `${String(upload.maxDownloads)} downloads`,
    upload.stream === 1 && 'stream',
    upload.removable === 1 && 'removable',
    upload.extendTtl === 1 && 'extended',
    upload.passwordHash !== null && 'password',
    upload.e2ee !== '' && `e2ee (${upload.e2ee})`,
  ]
  return options.filter((option) => option !== false).join(', ')
}
