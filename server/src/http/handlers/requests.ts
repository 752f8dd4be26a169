import type { NewUploadRequest, SenderUploadOptions, UploadRequestUpdate } from '@svc/contract'
import { describeRequest } from '../../core/requests/describe-request.ts'
import {
  createRequest as create,
  listRequests as list,
  removeRequest as remove,
  updateRequest as update,
} from '../../core/requests/manage-requests.ts'
import { ownerOfRequest, sendToRequest as send, showToSender } from '../../core/requests/send-to-request.ts'
import { describeUpload } from '../../core/uploads/describe-upload.ts'
import { mayAdminister } from '../../domain/access/account-access.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { requestView } from '../../domain/access/request-access.ts'
import { loginRequired, notAllowed } from '../../domain/errors.ts'
import type { RequestRecord } from '../../domain/records.ts'
import { pageQueryOf, pageResponse, type PageParameters } from '../request/paging.ts'
import { plainText } from '../response/reply.ts'
import type { RequestContext } from '../steps/chain.ts'
import { respondWithUploads } from './lists.ts'

type OwnerContext = RequestContext & { readonly address: string; readonly principal: Principal }
type LoadedContext = OwnerContext & { readonly uploadRequest: RequestRecord }
type BudgetContext = { readonly budgetKey: BudgetKey | null }

export async function createRequest({
  service,
  request,
  principal,
  address,
  budgetKey,
}: OwnerContext & BudgetContext) {
  const author = { owner: principal.user, address, budgetKey }
  const created = await create(service, request.body as NewUploadRequest, author)
  return {
    ...describeRequest(service, created.request, { showOwner: true, showIdentity: true }),
    requestToken: created.token,
  }
}

export async function listRequests({ service, request, principal }: OwnerContext) {
  const parameters = request.query as PageParameters & { readonly all?: boolean }
  const allUsers = parameters.all === true
  if (allUsers && !mayAdminister(principal)) throw notAllowed('list the upload requests of all users')
  if (principal.user === null) throw loginRequired()
  const query = pageQueryOf(parameters, 'createdAt')
  const page = await list(service, allUsers ? undefined : principal.user.id, query)
  return pageResponse(
    page,
    page.results.map((uploadRequest) =>
      describeRequest(service, uploadRequest, { showOwner: true, showIdentity: false }),
    ),
    'createdAt',
  )
}

export const getRequest = ({ service, uploadRequest, principal }: LoadedContext) =>
  describeRequest(service, uploadRequest, requestView(principal, uploadRequest))

export async function updateRequest(context: LoadedContext & BudgetContext) {
  const { service, request, uploadRequest, principal, address, budgetKey } = context
  const author = { owner: await ownerOfRequest(service, uploadRequest), address, budgetKey }
  const updated = await update(service, uploadRequest, request.body as UploadRequestUpdate, author)
  return describeRequest(service, updated, requestView(principal, updated))
}

export async function removeRequest({ service, reply, uploadRequest }: LoadedContext) {
  await remove(service, uploadRequest)
  return plainText(reply, 'ok')
}

/** The uploads that a request has received, for its owner. */
export const listRequestUploads = (context: LoadedContext) =>
  respondWithUploads(
    context,
    { ...(context.request.query as PageParameters), sort: 'createdAt' },
    { requestId: context.uploadRequest.id },
  )

export const showRequest = ({ service, uploadRequest }: LoadedContext) => showToSender(service, uploadRequest)

export async function sendToRequest(context: LoadedContext & BudgetContext) {
  const { service, request, uploadRequest, principal, address, budgetKey } = context
  const options = request.body as SenderUploadOptions
  const { upload, files, token } = await send(service, uploadRequest, options, {
    principal,
    address,
    budgetKey,
  })
  return { ...describeUpload(service, upload, files, { admin: true, showOwner: false }), uploadToken: token }
}
