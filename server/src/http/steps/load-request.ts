import {
  authorizeRequest,
  authorizeSender,
  loadRequest,
  requireRequests,
} from '../../core/requests/authorize-request.ts'
import type { Credentials } from '../../core/uploads/authorize.ts'
import { isRequestInScope, type RequestAction } from '../../domain/access/request-access.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { beyondScopes, notAllowed } from '../../domain/errors.ts'
import type { RequestRecord } from '../../domain/records.ts'
import { pathParameter } from '../request/path-parameters.ts'
import type { RequestContext } from './chain.ts'

interface LoadedRequest {
  readonly uploadRequest: RequestRecord
}
type LoadedContext = RequestContext & LoadedRequest & { readonly credentials: Credentials }

/** Adds the upload request that the path names. */
export const loadRequestStep = async ({ request, service }: RequestContext): Promise<LoadedRequest> => ({
  uploadRequest: await loadRequest(service, pathParameter(request, 'requestID')),
})

/** A step that refuses callers who may not do something with the upload request. */
export const authorizeRequestTo =
  (action: RequestAction) =>
  ({ uploadRequest, credentials }: LoadedContext): object => {
    authorizeRequest(action, uploadRequest, credentials)
    return {}
  }

/** Refuses senders without the password of the upload request, and after its end. */
export async function authorizeSenderStep({
  service,
  uploadRequest,
  credentials,
}: LoadedContext): Promise<object> {
  await authorizeSender(service, uploadRequest, credentials)
  return {}
}

/**
 * A step that refuses everyone where upload requests are off, user tokens without the scope for an action, and admins who
 * would create a request for the user whom they impersonate.
 */
export const requireRequestsFor =
  (action: RequestAction) =>
  ({ service, principal }: RequestContext & { readonly principal: Principal }): object => {
    requireRequests(service)
    // The token of a new request would stay with the admin.
    if (action === 'create upload requests' && principal.impersonator !== null)
      throw notAllowed('create upload requests for another user')
    if (!isRequestInScope(principal.scopes, action)) throw beyondScopes(action, principal.scopes)
    return {}
  }
