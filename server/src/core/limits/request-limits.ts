import { isAllowedExtension } from '@svc/contract'
import type { ServiceError } from '../../domain/errors.ts'
import { isExpired } from '../../domain/limits/lifetime.ts'
import type { RequestRecord, UploadRecord } from '../../domain/records.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import { releasedPlace } from '../stats/usage-accounting.ts'
import * as requestErrors from './request-errors.ts'

/** An upload, or the part of it that says which request receives it. */
type ReceivedUpload = Pick<UploadRecord, 'requestId'>

/**
 * How long an upload has its place in the limits of its request before anything arrives, in ms. Long enough for a sender who still
 * chooses files or waits for a connection; short enough that an upload that stays empty does not block a request for one sender,
 * or for few files, until it expires.
 */
export const placeMs = 3_600_000

/** Whether a request accepts no further upload. */
export const isClosed = (
  { closedAt, expireAt }: Pick<RequestRecord, 'closedAt' | 'expireAt'>,
  now: number,
): boolean => closedAt !== null || isExpired({ expireAt }, now)

/**
 * Counts a new upload against the limits of its request, in the transaction that writes the upload.
 * @param files the number of its declared files
 * @throws ServiceError `request_not_found`, `request_closed`, `request_full`
 */
export async function reserveUpload(
  { requests }: MetadataStore,
  { requestId }: ReceivedUpload,
  files: number,
  now: number,
): Promise<void> {
  if (requestId === null || (await requests.reserveUpload(requestId, files, now))) return
  throw refusalOf(await requests.find(requestId), now)
}

/**
 * Counts one more file against the limits of the request that receives an upload.
 * The transaction has locked the upload.
 * @param fileName null for a partial upload: its final upload has the name
 * @throws ServiceError `request_not_found`, `request_closed`, `request_full`, `place_taken`, `extension_refused`
 */
export async function reserveFile(
  transaction: MetadataStore,
  upload: ReceivedUpload & Pick<UploadRecord, 'id'>,
  fileName: string | null,
  now: number,
): Promise<void> {
  const { requests } = transaction
  const { requestId } = upload
  if (requestId === null) return
  const request = await requests.find(requestId)
  if (request !== undefined && fileName !== null) requireExtension(request, fileName)
  await retakePlace(transaction, upload, now)
  if (!(await requests.reserveFile(requestId, now))) throw refusalOf(request, now)
}

/**
 * Counts a file that replaces partial uploads. It has the place of one of them, which counts until then: a request that is closed
 * or full in the meantime accepts it.
 * @throws ServiceError `request_not_found`, `extension_refused`
 */
export async function reserveReplacement(
  { requests }: MetadataStore,
  { requestId }: ReceivedUpload,
  fileName: string,
): Promise<void> {
  if (requestId === null) return
  const request = await requests.find(requestId)
  if (request === undefined) throw requestErrors.requestNotFound()
  requireExtension(request, fileName)
  await requests.addUsage(requestId, { uploads: 0, files: 1, size: 0 })
}

/**
 * Counts an upload again whose place was released, in a transaction that has locked it.
 * @throws ServiceError `place_taken`, `request_closed`, `request_not_found`
 */
export async function retakePlace(
  { uploads, files, requests }: MetadataStore,
  { id, requestId }: ReceivedUpload & Pick<UploadRecord, 'id'>,
  now: number,
): Promise<void> {
  if (requestId === null || (await uploads.place(id)) !== releasedPlace) return
  const pending = await files.pending(id)
  if (!(await requests.reserveUpload(requestId, pending.files, now))) {
    const refusal = refusalOf(await requests.find(requestId), now)
    throw refusal.code === 'request_full' ? requestErrors.placeTaken() : refusal
  }
  await uploads.setPlace(id, now + placeMs)
}

/**
 * Counts bytes against the limits of the request that receives an upload.
 * @returns the error, or null when there was room for them
 */
export async function reserveSize(
  { requests }: MetadataStore,
  { requestId }: ReceivedUpload,
  bytes: number,
): Promise<ServiceError | null> {
  if (requestId === null || (await requests.reserveSize(requestId, bytes))) return null
  return (await requests.find(requestId)) === undefined
    ? requestErrors.requestNotFound()
    : requestErrors.requestFull()
}

/**
 * Checks the name of a file. Names that are encrypted for a recipient cannot be checked here: clients do it.
 * @throws ServiceError `extension_refused`
 */
export function requireExtension(
  { extensions, recipient }: Pick<RequestRecord, 'extensions' | 'recipient'>,
  fileName: string,
): void {
  const allowed = extensionsOf({ extensions })
  if (recipient === '' && !isAllowedExtension(fileName, allowed))
    throw requestErrors.extensionRefused(allowed)
}

export const extensionsOf = ({ extensions }: Pick<RequestRecord, 'extensions'>): string[] =>
  extensions === '' ? [] : extensions.split(' ')

const refusalOf = (request: RequestRecord | undefined, now: number): ServiceError => {
  if (request === undefined) return requestErrors.requestNotFound()
  return isClosed(request, now) ? requestErrors.requestClosed() : requestErrors.requestFull()
}
