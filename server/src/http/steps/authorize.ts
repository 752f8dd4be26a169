import { permit, type Proof } from '../../core/uploads/load-upload.ts'
import { mayByToken, type Action } from '../../domain/access/access.ts'
import { beyondScopes } from '../../domain/errors.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { Visitor } from '../../domain/access/principal.ts'
import type { RequestContext } from '../chain/chain.ts'

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

/** Refuses a user token that is limited to other things than sending. */
export function permitToCreate({ visitor }: { readonly visitor: Visitor }): object {
  if (!mayByToken(visitor.scopes, 'create uploads')) throw beyondScopes('create uploads', visitor.scopes)
  return {}
}
