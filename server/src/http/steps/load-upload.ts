import { loadUpload } from '../../core/uploads/load-upload.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { RequestContext } from './chain.ts'
import { pathParameter } from '../request/path-parameters.ts'

/** Adds the upload that the path names. */
export async function loadUploadStep({
  request,
  service,
}: RequestContext): Promise<{ readonly upload: UploadRecord }> {
  return { upload: await loadUpload(service, pathParameter(request, 'uploadID')) }
}
