import { parse } from 'content-disposition'
import type { FastifyRequest } from 'fastify'
import { partialBytes, resumablePath } from '@svc/contract'
import { describeFile } from '../../core/uploads/describe-upload.ts'
import { currentOffset } from '../../core/resumable/offset-and-cancel.ts'
import type { ResumableState } from '../../core/resumable/state.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { applicationBase } from '../request/base-url.ts'
import type { RequestContext } from '../steps/chain.ts'
import { pathParameter } from '../request/path-parameters.ts'
import {
  appendBody,
  beginFile,
  checkFirstLength,
  type NewPartialFile,
  type UploadContext,
} from '../resumable/part-request.ts'
import { announcedLength, announcesBody, requireType } from '../request/request-body.ts'
import * as ietf from '../resumable/ietf-protocol.ts'

export function resumableOptions({ service, reply }: RequestContext) {
  const limits = { 'accept-patch': partialBytes.type, 'upload-limit': ietf.limitOf(service.config) }
  return reply.code(204).headers(limits).send()
}

export async function resumableCreate(context: UploadContext) {
  const { service, request, reply, upload } = context
  // Also for error responses about the size.
  reply.header('upload-limit', ietf.limitOf(service.config))
  // Errors of the first part are reported before the file is created.
  ietf.digestIn(request)
  const size = knownLength(request)
  checkFirstLength(request, size)
  const started = await beginFile(context, newPartialFile(request), size)
  const limit = ietf.limitOf(service.config, started.expireAt, service.clock.now())
  const location = applicationBase(service, request).slice(0, -1) + resumablePath(upload.id, started.file.id)
  const sendInterim = ietf.interimResponses(request, reply)
  sendInterim({ location, 'upload-limit': limit })
  reply.headers({ location, 'upload-limit': limit })
  const isComplete = ietf.isLastPart(request) === true && !isWhole(started)
  const state = announcesBody(request.raw) || isComplete ? await append(context, started.file.id, 0) : started
  ietf.setStateHeaders(reply, state)
  return reply.code(isWhole(state) ? 200 : 201).send(describeFile(upload, state.file))
}

/** The size of the whole file, if the request that creates it announces it. */
function knownLength(request: FastifyRequest): number | null {
  const announced = ietf.integerIn(request, 'upload-length')
  if (announced !== undefined) return announced
  const isWholeBody =
    ietf.isLastPart(request) === true && request.raw.headers['transfer-encoding'] === undefined
  return isWholeBody ? announcedLength(request.raw) : null
}

function newPartialFile(request: FastifyRequest): NewPartialFile {
  const { fileName, reference, fileID } = request.query as Partial<NewPartialFile>
  return { fileName: fileName ?? nameInDisposition(request), reference, fileID }
}

function nameInDisposition({ headers }: FastifyRequest): string | undefined {
  const value = headers['content-disposition']
  try {
    return value === undefined ? undefined : parse(value).parameters['filename']
  } catch (cause) {
    throw invalidRequest('the header Content-Disposition is malformed', cause)
  }
}

export async function resumableHead({ service, request, reply, upload }: UploadContext) {
  const state = await currentOffset(service, upload, { id: pathParameter(request, 'fileID') })
  ietf.setStateHeaders(reply, state)
  reply.header('upload-limit', ietf.limitOf(service.config, state.expireAt, service.clock.now()))
  return reply.code(204).header('cache-control', 'no-store').send()
}

export async function resumableAppend(context: UploadContext) {
  const { service, request, reply, upload } = context
  reply.header('upload-limit', ietf.limitOf(service.config))
  requireType(request, partialBytes.type)
  const offset = ietf.integerIn(request, 'upload-offset')
  if (offset === undefined) throw invalidRequest('send Upload-Offset')
  if (ietf.isLastPart(request) === undefined) throw invalidRequest('send Upload-Complete')
  const state = await append(context, pathParameter(request, 'fileID'), offset)
  ietf.setStateHeaders(reply, state)
  return isWhole(state) ? describeFile(upload, state.file) : reply.code(204).send()
}

const isWhole = ({ file }: ResumableState) => file.status === 'uploaded'

async function append(context: UploadContext, id: string, offset: number): Promise<ResumableState> {
  const { request, reply } = context
  const sendInterim = ietf.interimResponses(request, reply)
  return appendBody(context, id, {
    offset,
    isLast: ietf.isLastPart(request) === true,
    size: ietf.integerIn(request, 'upload-length'),
    checksum: ietf.digestIn(request),
    onStored: (received) => {
      sendInterim({ 'upload-offset': String(received) })
    },
  })
}
