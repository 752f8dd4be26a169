import type { FastifyRequest } from 'fastify'
import { limits } from '@svc/contract'
import { appendPart, type IncomingPart } from '../../core/resumable/append.ts'
import { beginDeclared, beginResumable } from '../../core/resumable/begin.ts'
import type { ResumableState } from '../../core/resumable/state.ts'
import type { Payer } from '../../domain/access/payer.ts'
import { fileNotFound, invalidRequest, sizeMismatch } from '../../domain/errors.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { RequestContext } from '../chain/chain.ts'
import { announcedLength, receivePiece } from '../request/request-body.ts'

/** What every door for pieces works with. */
export type UploadContext = RequestContext & { readonly upload: UploadRecord; readonly payer: Payer | null }

/** What a file that comes in pieces is called by whoever begins it. */
export interface GivenFile {
  readonly fileName: string | undefined
  readonly reference: string | undefined
  /** Of a file that was declared when the upload was created. */
  readonly fileID: string | undefined
}

/** @throws ServiceError `invalid_request`, `file_not_found`, and as `beginResumable` does */
export async function beginFile(
  { service, upload, payer }: UploadContext,
  { fileName, reference, fileID }: GivenFile,
  size: number | null,
): Promise<ResumableState> {
  if (fileID !== undefined) {
    const file = await service.store.files.find(upload.id, fileID)
    if (file === undefined) throw fileNotFound()
    return beginDeclared(service, upload, file, size)
  }
  if (fileName === undefined) throw invalidRequest('the file needs a fileName')
  if (reference !== undefined && reference.length > limits.referenceLength)
    throw invalidRequest(`a reference has at most ${String(limits.referenceLength)} characters`)
  return beginResumable(service, upload, { fileName, reference: reference ?? null, size, payer })
}

/**
 * What a first piece announces is checked before there is a file that it could belong to.
 * @throws ServiceError `size_mismatch`
 */
export function checkFirstLength(request: FastifyRequest, size: number | null | undefined): void {
  if (typeof size === 'number' && announcedLength(request.raw) > size) throw sizeMismatch(size)
}

/** Appends the body of a request to a file. @throws ServiceError as `appendPiece` does */
export const appendBody = (
  { service, request, upload, payer }: UploadContext,
  id: string,
  told: Omit<IncomingPart, 'bytes' | 'length' | 'signal' | 'payer'>,
): Promise<ResumableState> =>
  receivePiece(request.raw, (piece) => appendPart(service, upload, { id }, { ...piece, ...told, payer }))

/** A header that is sent once; absent when it is empty. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

/** A number of bytes in a header or a field; undefined for what is no whole number that can be counted. */
export function parseBytes(value: string): number | undefined {
  const bytes = /^\d{1,16}$/.test(value) ? Number(value) : NaN
  return Number.isSafeInteger(bytes) ? bytes : undefined
}
