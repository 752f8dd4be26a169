import type { QuickUploadQuery, UploadOptions } from '@svc/contract'
import { filePath, headers as names } from '@svc/contract'
import { parseDuration } from '../../config/durations.ts'
import { createUpload as create, type NewUpload } from '../../core/create-upload.ts'
import { describeUpload } from '../../core/describe-upload.ts'
import { callerOf, type Proof } from '../../core/load-upload.ts'
import { addFileToNewUpload, type IncomingFile } from '../../core/receive-file.ts'
import { removeUpload as remove } from '../../core/remove.ts'
import { manages } from '../../domain/access.ts'
import { invalidTtl } from '../../domain/errors.ts'
import type { Service } from '../../core/service.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { Visitor } from '../../domain/visitor.ts'
import { text } from '../answer.ts'
import { linkBase } from '../base-url.ts'
import type { RequestContext } from '../chain.ts'
import { receiveForm } from '../multipart.ts'
import { pathParameter } from '../parameters.ts'
import { receiveRaw } from '../request-body.ts'

type TokenContext = RequestContext & {
  readonly address: string
  readonly visitor: Visitor
  readonly proof: Proof
}
type UploadContext = TokenContext & { readonly upload: UploadRecord }

export async function createUpload({ service, request, visitor, address }: TokenContext) {
  const options = (request.body ?? {}) as UploadOptions
  const { upload, files, token } = await create(service, options, { visitor, address })
  return { ...describeUpload(service, upload, files, { admin: true, tellOwner: true }), uploadToken: token }
}

export async function getUpload({ service, upload, proof }: UploadContext) {
  const files = await service.store.files.list(upload.id)
  const caller = callerOf(upload, proof)
  const tellOwner = caller.isOwner || caller.isAdmin
  const admin = manages(caller)
  const offsets =
    admin && files.some(({ status }) => status === 'uploading') ? await offsetsOf(service, upload) : new Map()
  return describeUpload(service, upload, files, { admin, tellOwner, offsets })
}

async function offsetsOf({ store }: Service, upload: UploadRecord): Promise<ReadonlyMap<string, number>> {
  const unfinished = await store.resumables.offsets(upload.id)
  return new Map(unfinished.map(({ fileId, received }) => [fileId, received]))
}

export async function removeUpload({ service, upload, reply }: UploadContext) {
  await remove(service, upload)
  return text(reply, 'ok')
}

export async function quickUpload(context: TokenContext) {
  const created = await receiveForm(context.request.raw, (file) => addQuickly(context, file))
  return answerLink(context, created)
}

export async function quickUploadRaw(context: TokenContext) {
  const { raw } = context.request
  const name = pathParameter(context.request, 'filename')
  return answerLink(context, await receiveRaw(raw, name, (file) => addQuickly(context, file)))
}

function addQuickly(
  { service, request, visitor, address }: TokenContext,
  file: IncomingFile,
): Promise<NewUpload> {
  const asked = quickOptions(request.query as QuickUploadQuery)
  // Its link is told at the end, so that nobody could come for a stream: only who asks for one is refused.
  const unasked = service.config.features.feature_stream === 'default' ? { stream: false } : {}
  const options = { ...unasked, ...asked }
  return addFileToNewUpload(service, options, { visitor, address }, file)
}

/** Options of a quick upload come as text; they mean what they mean in JSON. */
function quickOptions({
  ttl,
  extend_ttl,
  oneShot,
  removable,
  stream,
  ...texts
}: QuickUploadQuery): UploadOptions {
  const flag = (value: string | undefined) => (value === undefined ? undefined : value === 'true')
  const given = {
    ttl: ttl === undefined ? undefined : seconds(ttl),
    extend_ttl: flag(extend_ttl),
    oneShot: flag(oneShot),
    removable: flag(removable),
    stream: flag(stream),
  }
  return { ...texts, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}

function seconds(ttl: string): number {
  const parsed = parseDuration(ttl)
  if (parsed === undefined) throw invalidTtl('ttl must be seconds or a duration such as 12h or 1d')
  return parsed
}

function answerLink({ service, request, reply }: TokenContext, { upload, files, token }: NewUpload) {
  const [file] = files
  const path = file === undefined ? '' : filePath(upload.id, file.id, file.fileName)
  reply.headers({ [names.uploadId]: upload.id, [names.uploadToken]: token })
  return text(reply, `${linkBase(service, request)}${path}\n`)
}
