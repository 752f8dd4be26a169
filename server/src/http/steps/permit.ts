import { permit, type Proof } from '../../core/load-upload.ts'
import type { Action } from '../../domain/access.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { RequestContext } from '../chain.ts'

/** A step that refuses whoever may not do something with the upload. */
export const permitTo =
  (action: Action) =>
  async ({
    service,
    upload,
    proof,
  }: RequestContext & { readonly upload: UploadRecord; readonly proof: Proof }): Promise<object> => {
    await permit(service, action, upload, proof)
    return {}
  }
