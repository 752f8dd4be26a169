import type { QuickUploadQuery, UploadChanges, UploadOptions } from '@svc/contract'
import { filePath, headers as names, streamPath, parseDuration } from '@svc/contract'
import { changeAlias } from '../../core/uploads/alias.ts'
import { createUpload as create, planUpload, type NewUpload } from '../../core/uploads/create-upload.ts'
import { describeFiles, describeUpload, type OffsetOf } from '../../core/uploads/describe-upload.ts'
import { filesInBatches } from '../../metadata/files/file-batches.ts'
import { callerOf, type Credentials } from '../../core/uploads/authorize.ts'
import type { IncomingFile } from '../../core/uploads/receive/receive-file.ts'
import { addFilesToNewUpload } from '../../core/uploads/receive/receive-files.ts'
import { removeUpload as remove } from '../../core/removal/remove-upload.ts'
import { streamNewUpload } from '../../core/streams/stream-new-upload.ts'
import { canManage } from '../../domain/access/access.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import { invalidMultipart, invalidTtl } from '../../domain/errors.ts'
import type { Service } from '../../core/service.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { plainText } from '../response/reply.ts'
import { linkBase } from '../request/base-url.ts'
import type { RequestContext } from '../steps/chain.ts'
import { receiveFiles, type NextFile } from '../request/forms/multipart.ts'
import { pathParameter } from '../request/path-parameters.ts'
import { announcedLength, receiveRaw } from '../request/request-body.ts'
import { earlyResponse } from '../response/early-response.ts'
import { sendUpload } from '../response/large-responses.ts'
import { deferFile } from '../connections/deferred-form.ts'

type TokenContext = RequestContext & {
  readonly address: string
  readonly principal: Principal
  readonly credentials: Credentials
}
type UploadingContext = TokenContext & { readonly budgetKey: BudgetKey | null }
type UploadContext = TokenContext & { readonly upload: UploadRecord }

export async function createUpload({ service, request, principal, address, budgetKey }: UploadingContext) {
  const options = (request.body ?? {}) as UploadOptions
  const created = await create(service, options, { principal, address, budgetKey })
  const { upload, files, token, alias } = created
  return {
    ...describeUpload(service, upload, files, { admin: true, showOwner: true, alias }),
    uploadToken: token,
  }
}

export async function changeUpload(context: UploadContext & { readonly budgetKey: BudgetKey | null }) {
  const { service, request, upload, budgetKey } = context
  const { alias } = request.body as UploadChanges
  if (alias !== undefined) await changeAlias(service, upload, alias, budgetKey)
  return getUpload(context)
}

export async function getUpload({ service, reply, upload, credentials }: UploadContext) {
  const { first, rest } = await filesInBatches(service.store, upload.id)
  const caller = callerOf(upload, credentials)
  const showOwner = caller.isOwner || caller.isAdmin
  const admin = canManage(caller)
  const alias = showOwner && upload.userId !== null ? await service.store.aliases.of(upload.id) : undefined
  const mayHaveOffsets = admin && (rest !== null || first.some(({ status }) => status === 'uploading'))
  const offsetOf = mayHaveOffsets ? await offsetsOf(service, upload) : undefined
  const described = describeUpload(service, upload, first, { admin, showOwner, alias, offsetOf })
  if (rest === null) return described
  return sendUpload(reply, { upload: described, rest: describeBatches(upload, rest, offsetOf) })
}

async function* describeBatches(
  upload: UploadRecord,
  batches: AsyncIterable<readonly FileRecord[]>,
  offsetOf?: OffsetOf,
) {
  for await (const files of batches) yield describeFiles(upload, files, offsetOf)
}

async function offsetsOf(
  { store, pipe }: Pick<Service, 'pipe' | 'store'>,
  upload: UploadRecord,
): Promise<OffsetOf> {
  // Of streams whose senders are connected to this instance.
  if (upload.stream === 1) return pipe.delivered
  const unfinished = await store.resumables.offsets(upload.id)
  const received = new Map(unfinished.map((file) => [file.fileId, file.received]))
  return (fileId) => received.get(fileId)
}

export async function removeUpload({ service, upload, reply }: UploadContext) {
  await remove(service, upload)
  return plainText(reply, 'ok')
}

export function quickUpload(context: UploadingContext) {
  const { maxFilePerUpload: maxFiles } = context.service.config
  return createWithFiles(context, (use) => receiveFiles(context.request.raw, { maxFiles }, use))
}

export function quickUploadRaw(context: UploadingContext) {
  const { raw } = context.request
  const name = pathParameter(context.request, 'filename')
  const length = announcedLength(raw)
  const size = Number.isSafeInteger(length) ? length : 0
  const next = () => Promise.resolve(null)
  return createWithFiles(context, (use) => receiveRaw(raw, name, (file) => use(file, next)), size)
}

type Receive = (
  use: (first: IncomingFile, next: NextFile) => Promise<NewUpload | null>,
) => Promise<NewUpload | null>

/**
 * The links of stored files are the whole response, one on each line. The link of a stream is sent first, since the recipient needs it
 * while the sender waits.
 * @param size bytes of the file; 0 when unknown
 */
async function createWithFiles(context: UploadingContext, receive: Receive, size = 0) {
  const { service, request, reply, principal, address, budgetKey } = context
  const response = earlyResponse(context)
  const onCreated = (created: NewUpload) => {
    response.begin(tokenHeaders(created), linksOf(context, created, streamPath))
  }
  let created: NewUpload | null = null
  try {
    created = await receive(async (file, nextFile) => {
      const options = quickOptions(request.query as QuickUploadQuery)
      const planned = await planUpload(service, options, { principal, address, budgetKey })
      const next = async () => {
        const following = await nextFile()
        return following && { ...following, budgetKey }
      }
      if (planned.upload.stream === 0)
        return addFilesToNewUpload(service, planned, principal.user, { first: { ...file, budgetKey }, next })
      await deferFile(context, onlyFile(file, next), (sender) =>
        streamNewUpload(service, planned, { ...sender, budgetKey, fileName: file.fileName, size }, onCreated),
      )
      return null
    })
    if (created === null) response.finish()
  } catch (error) {
    if (!response.hasBegun()) throw error
    response.fail(error)
  }
  if (created === null) return reply
  return plainText(reply.headers(tokenHeaders(created)), linksOf(context, created, filePath))
}

/** Converts the query of a quick upload to the options of `POST /upload`. */
function quickOptions({
  ttl,
  extend_ttl,
  oneShot,
  maxDownloads,
  removable,
  stream,
  ...texts
}: QuickUploadQuery): UploadOptions {
  const flag = (value: string | undefined) => (value === undefined ? undefined : value === 'true')
  const flags = {
    ttl: ttl === undefined ? undefined : seconds(ttl),
    extend_ttl: flag(extend_ttl),
    oneShot: flag(oneShot),
    maxDownloads: maxDownloads === undefined ? undefined : Number(maxDownloads),
    removable: flag(removable),
    stream: flag(stream),
  }
  return { ...texts, ...Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) }
}

function seconds(ttl: string): number {
  const parsed = parseDuration(ttl)
  if (parsed === undefined) throw invalidTtl('ttl must be seconds or a duration such as 12h or 1d')
  return parsed
}

const tokenHeaders = ({ upload, token }: NewUpload) => ({
  [names.uploadId]: upload.id,
  [names.uploadToken]: token,
})

/** A file after which no other may follow: a stream has one file. */
const onlyFile = (file: IncomingFile, next: NextFile): IncomingFile => ({
  ...file,
  complete: async () => {
    await file.complete()
    if ((await next()) !== null) throw invalidMultipart('it has more than one file')
  },
})

/** A line for each file, with its URL. */
function linksOf(
  { service, request }: TokenContext,
  { upload, files }: NewUpload,
  pathOf: typeof filePath,
): string {
  const base = linkBase(service, request)
  return files.map(({ id, fileName }) => `${base}${pathOf(upload.id, id, fileName)}\n`).join('')
}
