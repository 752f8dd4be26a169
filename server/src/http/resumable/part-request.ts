import type { FastifyRequest } from 'fastify'
import { limits } from '@svc/contract'
import { appendPart, type IncomingPart } from '../../core/resumable/append.ts'
import { beginDeclared, beginResumable, type NewResumable } from '../../core/resumable/begin.ts'
import { cancelFile } from '../../core/resumable/offset-and-cancel.ts'
import type { ResumableState } from '../../core/resumable/state.ts'
import type { Credentials } from '../../core/uploads/authorize.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import { invalidRequest, sizeMismatch } from '../../domain/errors.ts'
import { fileNotFound } from '../../domain/not-found-errors.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { RequestContext } from '../steps/chain.ts'
import { pathParameter } from '../request/path-parameters.ts'
import { announcedLength, receivePartBody } from '../request/request-body.ts'

/** The context of every endpoint for parts. */
export type UploadContext = RequestContext & {
  readonly upload: UploadRecord
  readonly credentials: Credentials
  readonly budgetKey: BudgetKey | null
}

/** The identification of a new resumable file in a request. */
export interface NewPartialFile {
  readonly fileName: string | undefined
  readonly reference: string | undefined
  /** Id of a declared file. */
  readonly fileID: string | undefined
}

/** @throws ServiceError `invalid_request`, `file_not_found`, and as `beginResumable` does */
export async function beginFile(
  { service, upload, budgetKey }: UploadContext,
  { fileName, reference, fileID }: NewPartialFile,
  size: number | null,
): Promise<ResumableState> {
  if (fileID !== undefined) {
    const file = await service.store.files.find(upload.id, fileID)
    if (file === undefined) throw fileNotFound()
    return beginDeclared(service, upload, file, { size, budgetKey })
  }
  return beginResumable(service, upload, { ...newFileOf({ fileName, reference }), size, budgetKey })
}

/**
 * The name and the reference of a file that was not declared.
 * @throws ServiceError `invalid_request`
 */
export function newFileOf({
  fileName,
  reference,
}: Pick<NewPartialFile, 'fileName' | 'reference'>): Pick<NewResumable, 'fileName' | 'reference'> {
  if (fileName === undefined) throw invalidRequest('the file needs a fileName')
  if (reference !== undefined && reference.length > limits.referenceLength)
    throw invalidRequest(`a reference has at most ${String(limits.referenceLength)} characters`)
  return { fileName, reference: reference ?? null }
}

/**
 * Checks the announced length of a first part before the file is created.
 * @throws ServiceError `size_mismatch`
 */
export function checkFirstLength(request: FastifyRequest, size: number | null | undefined): void {
  if (typeof size === 'number' && announcedLength(request.raw) > size) throw sizeMismatch(size)
}

/**
 * Appends the body of a request to a file.
 * @throws ServiceError as `appendPart` does
 */
export const appendBody = (
  { service, request, upload, budgetKey }: UploadContext,
  id: string,
  options: Omit<IncomingPart, 'bytes' | 'length' | 'signal' | 'budgetKey'>,
): Promise<ResumableState> =>
  receivePartBody(request.raw, (part) =>
    appendPart(service, upload, { id }, { ...part, ...options, budgetKey }),
  )

/** Cancels a file whose parts are uploaded, and removes its bytes. */
export async function cancelPart({ service, request, reply, upload, credentials }: UploadContext) {
  await cancelFile(service, upload, { id: pathParameter(request, 'fileID') }, credentials)
  return reply.code(204).send()
}

/** The value of a header that is sent once; undefined when it is empty. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

/** A number of bytes in a header; undefined unless it is a safe integer. */
export function parseBytes(value: string): number | undefined {
  const bytes = /^\d{1,16}$/.test(value) ? Number(value) : NaN
  return Number.isSafeInteger(bytes) ? bytes : undefined
}
