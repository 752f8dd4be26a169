import type { FastifyRequest } from 'fastify'
import { tusBytes, tusPath } from '@svc/contract'
import { beginPartial } from '../../core/resumable/begin.ts'
import { concatenate } from '../../core/resumable/concatenate.ts'
import { currentOffset } from '../../core/resumable/offset-and-cancel.ts'
import type { ResumableState } from '../../core/resumable/state.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { applicationBase } from '../request/base-url.ts'
import type { RequestContext } from '../steps/chain.ts'
import { pathParameter } from '../request/path-parameters.ts'
import {
  appendBody,
  beginFile,
  cancelPart,
  checkFirstLength,
  headerOf,
  newFileOf,
  type NewPartialFile,
  type UploadContext,
} from '../resumable/part-request.ts'
import { announcesBody, receivePartBody, requireType } from '../request/request-body.ts'
import * as tus from '../resumable/tus-protocol.ts'

export function tusOptions({ service: { config }, reply }: RequestContext) {
  return reply
    .code(204)
    .headers({
      'tus-resumable': tus.version,
      'tus-version': tus.version,
      'tus-extension': tus.extensions,
      ...(config.maxFileSize >= 0 && { 'tus-max-size': String(config.maxFileSize) }),
      'tus-checksum-algorithm': tus.checksumAlgorithms.join(','),
    })
    .send()
}

export async function tusCreate(context: UploadContext) {
  const concatenation = tus.concatenationIn(context.request)
  if (concatenation?.kind === 'final') return createFinal(context, concatenation.parts)
  const { service, request, reply, upload, budgetKey } = context
  const size = tus.declaredLength(request)
  const hasPart = announcesBody(request.raw)
  // Errors of the first part are reported before the file is created.
  if (hasPart) checkFirstPart(request, size)
  const started = concatenation
    ? await beginPartial(service, upload, { size, budgetKey })
    : await beginFile(context, newFileIn(request), size)
  setLocation(context, started)
  const state = hasPart ? await append(context, started.file.id, 0) : started
  tus.setProgressHeaders(reply, state)
  return reply.code(201).send()
}

/** Copies the bytes of partial uploads to one file. */
async function createFinal(context: UploadContext, named: readonly tus.NamedPart[]) {
  const { service, request, reply, upload, budgetKey } = context
  if (announcesBody(request.raw)) throw invalidRequest('a final upload has no body')
  const { fileName, reference, fileID } = newFileIn(request)
  if (fileID !== undefined) throw invalidRequest('a final upload cannot be a declared file')
  const file = newFileOf({ fileName, reference })
  const parts = await idsOf(context, named)
  const final = await receivePartBody(request.raw, ({ signal }) =>
    concatenate(service, upload, { ...file, parts, signal, budgetKey }),
  )
  setLocation(context, final)
  tus.setProgressHeaders(reply, final)
  return reply.code(201).send()
}

/**
 * The ids of partial uploads, whose URLs have the id of the upload or its alias.
 * @throws ServiceError `invalid_request` for parts of another upload
 */
async function idsOf(
  { service, upload }: UploadContext,
  parts: readonly tus.NamedPart[],
): Promise<readonly string[]> {
  const aliased = parts.filter((part) => part.upload !== upload.id)
  if (aliased.length > 0) {
    const alias = await service.store.aliases.of(upload.id)
    if (aliased.some((part) => part.upload.toLowerCase() !== alias)) throw tus.foreignPart()
  }
  return parts.map(({ id }) => id)
}

function newFileIn(request: FastifyRequest): NewPartialFile {
  const metadata = tus.metadataIn(request)
  return {
    fileName: metadata.get('fileName') ?? metadata.get('filename'),
    reference: metadata.get('reference'),
    fileID: metadata.get('fileID'),
  }
}

function setLocation({ service, request, reply, upload }: UploadContext, { file }: ResumableState): void {
  reply.header('location', applicationBase(service, request).slice(0, -1) + tusPath(upload.id, file.id))
}

function checkFirstPart(request: FastifyRequest, size: number | null): void {
  requireType(request, tusBytes.type)
  tus.checksumIn(request)
  checkFirstLength(request, size)
}

export async function tusHead({ service, request, reply, upload }: UploadContext) {
  const state = await currentOffset(service, upload, { id: pathParameter(request, 'fileID') })
  tus.setProgressHeaders(reply, state)
  tus.setFileHeaders(reply, state)
  return reply.header('cache-control', 'no-store').send()
}

export async function tusPatch(context: UploadContext) {
  const { request, reply } = context
  requireType(request, tusBytes.type)
  const offset = tus.bytesIn(request, 'upload-offset')
  if (offset === undefined) throw invalidRequest('send Upload-Offset')
  tus.setProgressHeaders(reply, await append(context, pathParameter(request, 'fileID'), offset))
  return reply.code(204).send()
}

async function append(context: UploadContext, id: string, offset: number): Promise<ResumableState> {
  const size = tus.bytesIn(context.request, 'upload-length')
  const checksum = tus.checksumIn(context.request)
  return appendBody(context, id, { offset, size, checksum })
}

/** For proxies that only allow GET and POST. */
export async function tusOverride(context: UploadContext) {
  const method = headerOf(context.request, 'x-http-method-override')?.toUpperCase() ?? ''
  const handle = overridableHandlers.get(method)
  if (handle === undefined) throw invalidRequest('X-HTTP-Method-Override must be PATCH, DELETE or HEAD')
  return handle(context)
}

const overridableHandlers: ReadonlyMap<string, (context: UploadContext) => Promise<unknown>> = new Map([
  ['PATCH', tusPatch],
  ['DELETE', cancelPart],
  ['HEAD', tusHead],
])
