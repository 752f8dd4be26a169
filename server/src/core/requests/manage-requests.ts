import { limits, unlimited, type NewUploadRequest, type UploadRequestUpdate } from '@svc/contract'
import { hashSecret } from '../../auth/secrets.ts'
import { randomId, randomRequestToken } from '../../domain/ids.ts'
import { expiryAfter } from '../../domain/limits/lifetime.ts'
import type { RequestRecord, UserRecord } from '../../domain/records.ts'
import type { PageOf, PageQuery } from '../../metadata/query/page.ts'
import type { RequestChanges } from '../../metadata/requests/requests.ts'
import { writeForUser } from '../accounts/write-for-user.ts'
import { removeSomeReceived } from '../removal/remove-received.ts'
import type { Service } from '../service.ts'
import { requestedLifetime, recipientIn, settingsOf, type RequestAuthor } from './request-settings.ts'
import * as requestErrors from '../limits/request-errors.ts'

/** A new request, with the token that only its creator receives. */
export interface CreatedRequest {
  readonly request: RequestRecord
  readonly token: string
}

/**
 * Creates an upload request.
 * @throws ServiceError when a setting is invalid, `anonymous_refused`, `too_many_upload_requests`, `invalid_session` when the
 * owner was deleted in the meantime, `no_space`, `budget_reached`
 */
export async function createRequest(
  service: Pick<Service, 'budgets' | 'clock' | 'config' | 'passwords' | 'random' | 'rowSpace' | 'store'>,
  options: NewUploadRequest,
  author: RequestAuthor,
): Promise<CreatedRequest> {
  const { clock, random, config, store } = service
  const { owner, budgetKey } = author
  const { feature_authentication: authentication, feature_requests: requests } = config.features
  if (owner === null && (authentication === 'forced' || requests === 'forced'))
    throw requestErrors.anonymousRequestRefused()
  service.budgets.spend(budgetKey, 'uploads')
  const now = clock.now()
  const token = randomRequestToken(random)
  const request: RequestRecord = {
    id: randomId(random),
    userId: owner?.id ?? null,
    tokenHash: hashSecret(token),
    title: '',
    message: '',
    createdAt: now,
    expireAt: expiryAfter(now, requestedLifetime(service, 0, author)),
    closedAt: null,
    removedAt: null,
    maxFiles: unlimited,
    maxFileSize: unlimited,
    maxSize: unlimited,
    extensions: '',
    oneSender: 0,
    senderName: 'optional',
    passwordHash: null,
    recipient: recipientIn(service, options),
    wrappedIdentity: null,
    passkeyIdentities: null,
    uploadTtl: requestedLifetime(service, 0, author),
    afterEnd: 'keep',
    uploads: 0,
    seen: 0,
    files: 0,
    size: 0,
    ...(await settingsOf(service, options, author)),
  }
  await service.rowSpace.require(textLength(request))
  if (owner === null) await store.requests.insert(request)
  else await writeForUser(service, owner.id, () => insertOf(service, owner, request))
  return { request, token }
}

/** The characters of the columns that can be long. */
const textLength = ({ message, wrappedIdentity, passkeyIdentities }: RequestChanges): number =>
  [message, wrappedIdentity, passkeyIdentities].reduce((sum, text) => sum + (text?.length ?? 0), 0)

/** Checks the limit of requests. Parallel requests can exceed it by their number. */
async function insertOf(
  { store }: Pick<Service, 'store'>,
  owner: UserRecord,
  request: RequestRecord,
): Promise<void> {
  if ((await store.requests.count(owner.id)) >= limits.requestsPerUser)
    throw requestErrors.tooManyUploadRequests(limits.requestsPerUser)
  await store.requests.insert(request)
}

/**
 * Changes, closes or opens a request.
 * @throws ServiceError when a setting is invalid, `request_not_found` when the request was removed in the meantime
 */
export async function updateRequest(
  service: Pick<Service, 'budgets' | 'clock' | 'config' | 'passwords' | 'rowSpace' | 'store'>,
  request: RequestRecord,
  { closed, seen, ...settings }: UploadRequestUpdate,
  author: RequestAuthor,
): Promise<RequestRecord> {
  const { store, clock } = service
  const changes = {
    ...(await settingsOf(service, settings, author)),
    ...(closed !== undefined && { closedAt: closed ? (request.closedAt ?? clock.now()) : null }),
  }
  if (Object.keys(changes).length > 0) {
    await service.rowSpace.require(textLength(changes))
    if (!(await store.requests.update(request.id, changes))) throw requestErrors.requestNotFound()
  }
  if (seen === true) await store.requests.see(request.id)
  const updated = await store.requests.find(request.id)
  if (updated === undefined) throw requestErrors.requestNotFound()
  return updated
}

/**
 * Removes a request with the uploads that it has received. It accepts nothing from now on; many uploads are removed in the
 * background.
 * @throws ServiceError `request_not_found` when it was removed already
 */
export async function removeRequest(
  service: Pick<Service, 'cleanupRequests' | 'clock' | 'store'>,
  { id }: RequestRecord,
): Promise<void> {
  const { store, clock } = service
  if (!(await store.requests.markRemoved(id, clock.now()))) throw requestErrors.requestNotFound()
  if (!(await removeSomeReceived(service, id))) service.cleanupRequests.request()
}

/**
 * A page of the requests of a user, or of all.
 * @param userId undefined for those of all users and guests
 */
export const listRequests = (
  { store }: Pick<Service, 'store'>,
  userId: string | undefined,
  query: PageQuery,
): Promise<PageOf<RequestRecord>> => store.requests.page(userId, query)
