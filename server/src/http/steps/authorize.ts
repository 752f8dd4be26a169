import { authorize, type Credentials } from '../../core/uploads/authorize.ts'
import { isInScope, type Action } from '../../domain/access/access.ts'
import { beyondScopes } from '../../domain/errors.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { RequestContext } from './chain.ts'

/** A step that refuses callers without permission for an action on the upload. */
export const authorizeTo =
  (action: Action) =>
  async ({
    service,
    upload,
    credentials,
  }: RequestContext & {
    readonly upload: UploadRecord
    readonly credentials: Credentials
  }): Promise<object> => {
    await authorize(service, action, upload, credentials)
    return {}
  }

/** Refuses a user token without the scope to create uploads. */
export function authorizeToCreate({ principal }: { readonly principal: Principal }): object {
  if (!isInScope(principal.scopes, 'create uploads')) throw beyondScopes('create uploads', principal.scopes)
  return {}
}
