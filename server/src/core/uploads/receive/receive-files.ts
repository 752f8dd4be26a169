import { printable } from '@svc/terminal'
import { formNotStored, ServiceError } from '../../../domain/errors.ts'
import type { UserRecord } from '../../../domain/records.ts'
import { removeUpload } from '../../removal/remove-upload.ts'
import type { Service } from '../../service.ts'
import type { NewUpload, PlannedUpload } from '../create-upload.ts'
import { addFile, addFileToNewUpload, type ChargedFile } from './receive-file.ts'

/**
 * Writes a planned upload and receives its files, one after the other. After a failure the upload is removed.
 * @param next the file after the previous one; null after the last one
 * @throws the errors of `addFileToNewUpload` and `addFile`. From the second file on, they say which file it was
 */
export async function addFilesToNewUpload(
  service: Service,
  planned: PlannedUpload,
  owner: UserRecord | null,
  { first, next }: { readonly first: ChargedFile; readonly next: () => Promise<ChargedFile | null> },
): Promise<NewUpload> {
  const created = await addFileToNewUpload(service, planned, owner, first)
  const files = [...created.files]
  let file: ChargedFile | null = null
  try {
    while ((file = await next()) !== null) {
      files.push(await addFile(service, created.upload, file))
      // Until the next one is known, an error is one of the whole form.
      file = null
    }
  } catch (error) {
    await removeUpload(service, created.upload)
    if (!(error instanceof ServiceError)) throw error
    throw formNotStored(error, file === null ? '' : printable(file.fileName))
  }
  return { ...created, files }
}
