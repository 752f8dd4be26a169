import { ServiceError } from '../../domain/errors.ts'
import type { UploadRecord } from '../../domain/records.ts'
import { saveUpload, type NewUpload, type PlannedUpload } from '../uploads/create-upload.ts'
import { newFile } from '../uploads/new-file.ts'
import { nameOf } from '../uploads/receive-file.ts'
import { removeUpload } from '../removal/remove-upload.ts'
import type { Service } from '../service.ts'
import { streamFile, type ChargedSender } from './send-stream.ts'

/** A waiting request that brings the name of its file along. */
export interface NamedSender extends ChargedSender {
  readonly fileName: string
  /** Bytes of the file; 0 when unknown. */
  readonly size: number
}

/**
 * Writes a planned upload and sends its only file to whoever comes for it. Where that fails, no upload stays, and
 * nobody has to clean up after a link that leads nowhere.
 * @param tell told where the file is, as soon as somebody can come for it
 * @throws ServiceError `invalid_file_name`, and as `saveUpload` and `streamFile` do
 */
export async function streamNewUpload(
  service: Service,
  planned: PlannedUpload,
  sender: NamedSender,
  tell: (created: NewUpload) => void,
): Promise<void> {
  const upload = { ...planned.upload, fileCount: 1 }
  const file = newFile(service, upload, {
    fileName: nameOf(sender),
    reference: null,
    fileSize: sender.size,
    status: 'missing',
    position: 0,
  })
  service.budgets.spend(sender.payer, 'files')
  await saveUpload(service, upload, [file])
  try {
    const begun = () => {
      tell({ upload, files: [file], token: planned.token })
    }
    await streamFile(service, upload, file, { ...sender, begun })
    service.dailyCounters.uploadCreated(upload)
  } catch (error) {
    await takeBack(service, upload)
    throw error
  }
}

/** What cannot be removed now (the database is away) stays as an upload whose file is missing. */
async function takeBack(
  service: Pick<Service, 'clock' | 'log' | 'pipe' | 'store'>,
  upload: UploadRecord,
): Promise<void> {
  try {
    await removeUpload(service, upload)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'upload_not_found') return
    service.log.error({ err: error, upload: upload.id }, 'the upload of a broken stream could not be removed')
  }
}
