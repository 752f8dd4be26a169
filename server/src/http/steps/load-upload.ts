import { loadFile, loadUpload } from '../../core/uploads/load-upload.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { RequestContext } from './chain.ts'
import { pathParameter } from '../request/path-parameters.ts'

/** Adds the upload that the path names. */
export async function loadUploadStep({
  request,
  service,
}: RequestContext): Promise<{ readonly upload: UploadRecord }> {
  return { upload: await loadUpload(service, pathParameter(request, 'uploadID')) }
}

/** Adds the file that the path names by its id and its name. */
export async function loadFileStep({
  request,
  service,
  upload,
}: RequestContext & { readonly upload: UploadRecord }): Promise<{ readonly file: FileRecord }> {
  const id = pathParameter(request, 'fileID')
  return { file: await loadFile(service, upload, id, pathParameter(request, 'filename')) }
}
