import { ageScheme, effectiveLimits, type OpenUploadRequest, type SenderUploadOptions } from '@svc/contract'
import { hashSecret } from '../../auth/secrets.ts'
import * as errors from '../../domain/errors.ts'
import { randomId, randomUploadToken } from '../../domain/ids.ts'
import { expiryAfter } from '../../domain/limits/lifetime.ts'
import { optionBits } from '../../domain/limits/upload-options.ts'
import {
  uploadWithoutOptions,
  type RequestRecord,
  type UploadRecord,
  type UserRecord,
} from '../../domain/records.ts'
import { requireLine } from '../../domain/text/storable-text.ts'
import { isClosed, placeMs, requireExtension } from '../limits/request-limits.ts'
import { freePlaces, withFreedPlaces } from '../limits/request-places.ts'
import type { Service } from '../service.ts'
import {
  validComments,
  declaredFile,
  requireSpace,
  saveUpload,
  type NewUpload,
  type Uploader,
} from '../uploads/create-upload.ts'
import * as requestErrors from '../limits/request-errors.ts'
import { describeToSender } from './describe-request.ts'

/**
 * Creates an upload for a request. It belongs to the owner of the request, and counts against the limits of both.
 * @throws ServiceError when an option is invalid, `request_closed`, `request_full`, `request_not_found`, `too_many_files`,
 * `extension_refused`, `file_too_big`, `no_space`, `budget_reached`
 */
export async function sendToRequest(
  service: Service,
  request: RequestRecord,
  options: SenderUploadOptions,
  uploader: Uploader,
): Promise<NewUpload> {
  const owner = await ownerOfRequest(service, request)
  const sender = senderOf(request, options)
  service.budgets.spend(uploader.budgetKey, 'uploads')
  const { upload, token } = plan(service, { request, owner, sender, address: uploader.address })
  const planned = { ...upload, comments: senderComments(service, options) }
  const declared = options.files ?? []
  if (declared.length > service.config.maxFilePerUpload)
    throw errors.tooManyFiles(service.config.maxFilePerUpload)
  for (const { fileName } of declared) requireExtension(request, fileName)
  service.budgets.spend(uploader.budgetKey, 'files', declared.length)
  const files = declared.map((declaration, position) =>
    declaredFile(service, { ...declaration, position }, planned, owner),
  )
  const bytes = files.reduce((sum, { fileSize }) => sum + fileSize, 0)
  await requireRoom(service, request, bytes)
  await requireSpace(service, uploader.budgetKey, files)
  const saved = { ...planned, fileCount: files.length }
  await saveReceived(service, saved, files)
  service.dailyStats.uploadCreated(saved)
  return { upload: saved, files, token }
}

/**
 * The owner of a request, whose limits apply to its uploads.
 * @returns null for a guest
 * @throws ServiceError `request_not_found` when the owner has just been deleted
 */
export async function ownerOfRequest(
  { store }: Pick<Service, 'store'>,
  { userId }: Pick<RequestRecord, 'userId'>,
): Promise<UserRecord | null> {
  if (userId === null) return null
  const owner = await store.users.find(userId)
  if (owner === undefined) throw requestErrors.requestNotFound()
  return owner
}

/**
 * Checks that the declared bytes fit. They are reserved when each file begins to arrive.
 * @throws ServiceError `request_full`, `request_not_found`
 */
async function requireRoom(
  service: Pick<Service, 'databaseClock' | 'store'>,
  request: RequestRecord,
  bytes: number,
): Promise<void> {
  const fits = ({ maxSize, size }: RequestRecord) => maxSize < 0 || size + bytes <= maxSize
  if (fits(request)) return
  const current = await withoutEmptyUploads(service, request)
  if (!fits(current)) throw requestErrors.requestFull()
}

/**
 * A request that has reached its limits, after the places of its empty uploads have been released.
 * @throws ServiceError `request_not_found` when it was removed in the meantime
 */
async function withoutEmptyUploads(
  service: Pick<Service, 'databaseClock' | 'store'>,
  request: RequestRecord,
): Promise<RequestRecord> {
  await freePlaces(service, request.id)
  const current = await service.store.requests.find(request.id)
  if (current === undefined) throw requestErrors.requestNotFound()
  return current
}

/**
 * What a sender may know of a request.
 * @throws ServiceError `request_not_found` when it was removed in the meantime
 */
export async function showToSender(
  service: Pick<Service, 'clock' | 'config' | 'databaseClock' | 'store'>,
  request: RequestRecord,
): Promise<OpenUploadRequest> {
  const owner = await ownerOfRequest(service, request)
  const described = describeToSender(service, request, owner)
  if (described.open || isClosed(request, service.clock.now())) return described
  return describeToSender(service, await withoutEmptyUploads(service, request), owner)
}

/** Senders have no session here that could have ended: the request of a deleted user is gone. */
async function saveReceived(
  service: Pick<Service, 'databaseClock' | 'rowSpace' | 'store'>,
  upload: UploadRecord,
  files: NewUpload['files'],
): Promise<void> {
  try {
    await withFreedPlaces(service, upload, () => saveUpload(service, upload, files))
  } catch (error) {
    if (error instanceof errors.ServiceError && error.code === 'invalid_session')
      throw requestErrors.requestNotFound(error)
    throw error
  }
}

function senderOf({ senderName }: RequestRecord, { sender = '' }: SenderUploadOptions): string | null {
  const name = sender.trim()
  if (senderName === 'none' || name === '') {
    if (senderName === 'required') throw requestErrors.senderRequired()
    return null
  }
  requireLine('sender', name)
  return name
}

/** Unlike an uploader, a sender need not know that the server requires comments. */
const senderComments = (service: Pick<Service, 'config'>, { comments: text }: SenderUploadOptions): string =>
  text === undefined || text === '' ? '' : validComments(service, text)

interface Plan {
  readonly request: RequestRecord
  readonly owner: UserRecord | null
  readonly sender: string | null
  readonly address: string
}

function plan(
  { clock, config, random }: Pick<Service, 'clock' | 'config' | 'random'>,
  { request, owner, sender, address }: Plan,
): { readonly upload: UploadRecord; readonly token: string } {
  const now = clock.now()
  const ttl = cappedTTL(request.uploadTtl, effectiveLimits(owner, config).maxTTL)
  const token = randomUploadToken(random)
  const e2ee = request.recipient === '' ? '' : ageScheme
  const upload: UploadRecord = {
    id: randomId(random),
    tokenHash: hashSecret(token),
    ttl,
    ...uploadWithoutOptions,
    comments: '',
    e2ee,
    options: optionBits({
      oneShot: false,
      removable: false,
      stream: false,
      extendTtl: false,
      password: false,
      e2ee: e2ee !== '',
    }),
    address,
    fileCount: 0,
    size: 0,
    userId: request.userId,
    userToken: null,
    createdAt: now,
    expireAt: endOf(request, expiryAfter(now, ttl)),
    deletedAt: null,
    generation: owner?.generation ?? 0,
    erasedAt: null,
    requestId: request.id,
    requestTokenHash: request.tokenHash,
    sender,
    maxFileSize: request.maxFileSize,
    placeUntil: now + placeMs,
  }
  return { upload, token }
}

/** A maximum that was lowered after the request was created applies as well. */
function cappedTTL(ttl: number, maxTTL: number): number {
  if (maxTTL < 0) return ttl
  return ttl < 0 ? maxTTL : Math.min(ttl, maxTTL)
}

function endOf({ afterEnd, expireAt }: RequestRecord, end: number | null): number | null {
  if (afterEnd === 'keep' || expireAt === null) return end
  return end === null ? expireAt : Math.min(end, expireAt)
}
