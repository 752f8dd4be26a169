import { ServiceError } from '../../domain/errors.ts'
import type { UploadRecord } from '../../domain/records.ts'
import { saveUpload, type NewUpload, type PlannedUpload } from '../uploads/create-upload.ts'
import { newFile } from '../uploads/new-file.ts'
import { nameOf } from '../uploads/receive/receive-file.ts'
import { removeUpload } from '../removal/remove-upload.ts'
import type { Service } from '../service.ts'
import { streamFile, type ChargedSender } from './send-stream.ts'

/** A waiting request that includes the name of its file. */
export interface NamedSender extends ChargedSender {
  readonly fileName: string
  /** The bytes of the file; 0 when unknown. */
  readonly size: number
}

/**
 * Writes a planned upload and sends its only file to the recipient. After a failure the upload is removed, so that no
 * broken link remains.
 * @param onCreated called with the upload as soon as a recipient can find the file
 * @throws ServiceError `invalid_file_name`, and the errors of `saveUpload` and `streamFile`
 */
export async function streamNewUpload(
  service: Service,
  planned: PlannedUpload,
  sender: NamedSender,
  onCreated: (created: NewUpload) => void,
): Promise<void> {
  const upload = { ...planned.upload, fileCount: 1 }
  const file = newFile(service, upload, {
    fileName: nameOf(sender),
    reference: null,
    fileSize: sender.size,
    status: 'missing',
    position: 0,
  })
  service.budgets.spend(sender.budgetKey, 'files')
  await saveUpload(service, upload, [file])
  try {
    const onReady = () => {
      onCreated({ upload, files: [file], token: planned.token })
    }
    await streamFile(service, upload, file, { ...sender, onReady })
    service.dailyStats.uploadCreated(upload)
  } catch (error) {
    await undo(service, upload)
    throw error
  }
}

/** Removes the upload. If the database is unavailable, the upload stays with a missing file. */
async function undo(
  service: Pick<Service, 'clock' | 'log' | 'pipe' | 'store'>,
  upload: UploadRecord,
): Promise<void> {
  try {
    await removeUpload(service, upload)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'upload_not_found') return
    service.log.error({ err: error, upload: upload.id }, 'the upload of a failed stream could not be removed')
  }
}
