import type { OpenUploadRequest, PasskeyIdentity, UploadRequest } from '@svc/contract'
import type { RequestView } from '../../domain/access/request-access.ts'
import type { RequestRecord, UserRecord } from '../../domain/records.ts'
import { maxFileSizeOf } from '../limits/file-size.ts'
import { extensionsOf, isClosed } from '../limits/request-limits.ts'
import type { Service } from '../service.ts'

const dateOf = (time: number | null) => (time === null ? null : new Date(time).toISOString())

/** Whether a request accepts another upload. */
const isOpen = (request: RequestRecord, now: number): boolean =>
  !isClosed(request, now) &&
  (request.oneSender === 0 || request.uploads === 0) &&
  (request.maxFiles < 0 || request.files < request.maxFiles) &&
  (request.maxSize < 0 || request.size < request.maxSize)

/** @param most -1 for no limit */
const leftOf = (most: number, used: number): number => (most < 0 ? -1 : Math.max(0, most - used))

/** What a sender may know of a request. */
export function describeToSender(
  service: Pick<Service, 'clock' | 'config'>,
  request: RequestRecord,
  owner: UserRecord | null,
): OpenUploadRequest {
  const { id, title, message, expireAt, maxFiles, maxSize, senderName, recipient } = request
  return {
    id,
    title,
    message,
    expireAt: dateOf(expireAt),
    open: isOpen(request, service.clock.now()),
    maxFiles,
    maxFileSize: maxFileSizeOf(service, owner, request),
    maxSize,
    extensions: extensionsOf(request),
    senderName,
    recipient,
    filesLeft: leftOf(maxFiles, request.files),
    sizeLeft: leftOf(maxSize, request.size),
  }
}

/**
 * The description of a request for callers who may see it, without its password and its token.
 * @param view by `requestView`; lists and admins get no private key
 */
export function describeRequest(
  { clock }: Pick<Service, 'clock'>,
  request: RequestRecord,
  { showOwner, showIdentity }: RequestView,
): UploadRequest {
  const { id, title, message, expireAt, maxFiles, maxFileSize, maxSize, senderName, recipient } = request
  const { userId, uploads, seen, files, size } = request
  return {
    id,
    title,
    message,
    expireAt: dateOf(expireAt),
    open: isOpen(request, clock.now()),
    maxFiles,
    maxFileSize,
    maxSize,
    extensions: extensionsOf(request),
    senderName,
    recipient,
    closed: request.closedAt !== null,
    oneSender: request.oneSender === 1,
    protectedByPassword: request.passwordHash !== null,
    uploadTTL: request.uploadTtl,
    afterEnd: request.afterEnd,
    uploads,
    unseen: Math.max(0, uploads - seen),
    files,
    size,
    ...(showIdentity && request.wrappedIdentity !== null && { wrappedIdentity: request.wrappedIdentity }),
    ...(showIdentity &&
      request.passkeyIdentities !== null && {
        passkeyIdentities: JSON.parse(request.passkeyIdentities) as PasskeyIdentity[],
      }),
    ...(showOwner && userId !== null && { user: userId }),
    createdAt: new Date(request.createdAt).toISOString(),
  }
}
