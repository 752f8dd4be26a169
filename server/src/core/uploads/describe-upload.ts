import { isGoneFile, unlimited, type File, type Upload } from '@svc/contract'
import { downloadURL } from '../../domain/download-url.ts'
import { downloadLimit, downloadsLeft, isFreeManifest, isUsedUp } from '../../domain/limits/download-limit.ts'
import { isPartial } from '../../domain/files/partial-file.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { Service } from '../service.ts'

/** The offset of a file by its id; undefined for files that have none. */
export type OffsetOf = (fileId: string) => number | undefined

interface View {
  readonly admin: boolean
  readonly showOwner: boolean
  readonly alias?: string | undefined
  readonly offsetOf?: OffsetOf | undefined
}

/**
 * The public description of an upload: without its token, its password and its source address.
 * @param view `admin`: the caller may manage the upload; `showOwner`: the caller may see its owner; `alias`: if the caller may see it; `offsetOf`: the
 * stored bytes of its unfinished files, or the delivered ones of streams
 */
export function describeUpload(
  { config }: Pick<Service, 'config'>,
  upload: UploadRecord,
  files: readonly FileRecord[],
  { admin, showOwner, alias, offsetOf }: View,
): Upload {
  const url = downloadURL(config)
  const limit = downloadLimit(upload)
  const described: Upload = {
    id: upload.id,
    ttl: upload.ttl < 0 ? unlimited : upload.ttl,
    extend_ttl: upload.extendTtl === 1,
    oneShot: upload.oneShot === 1,
    ...(limit !== null && { maxDownloads: limit }),
    removable: upload.removable === 1,
    stream: upload.stream === 1,
    protectedByPassword: upload.passwordHash !== null,
    comments: upload.comments,
    e2ee: upload.e2ee,
    downloadDomain: config.downloadDomain,
    files: describeFiles(upload, files, offsetOf),
    admin,
    createdAt: new Date(upload.createdAt).toISOString(),
    expireAt: upload.expireAt === null ? null : new Date(upload.expireAt).toISOString(),
  }
  if (url !== undefined) described.downloadURL = url
  if (showOwner && upload.userId !== null) described.user = upload.userId
  if (alias !== undefined) described.alias = alias
  if (upload.requestId !== null) described.request = upload.requestId
  if (upload.sender !== null) described.sender = upload.sender
  return described
}

type DescribedUpload = Pick<UploadRecord, 'e2ee' | 'maxDownloads' | 'oneShot' | 'stream'>

/** Partial uploads are not files of their upload. */
export const describeFiles = (
  upload: DescribedUpload,
  files: readonly FileRecord[],
  offsetOf?: OffsetOf,
): File[] =>
  files.filter((file) => !isPartial(file)).map((file) => describeFile(upload, file, offsetOf?.(file.id)))

/** @param offset stored bytes of a file that arrives in parts, or the delivered ones of a stream */
export function describeFile(upload: DescribedUpload, file: FileRecord, offset?: number): File {
  const { id, fileName, fileSize, type, md5, status, reference, instance } = file
  const described: File = { id, fileName, fileSize, type, md5, status }
  const limit = downloadLimit(upload)
  if (limit !== null && !isFreeManifest(upload, file)) described.downloadsLeft = downloadsLeft(file, limit)
  // A stream has one download.
  const allowed = upload.stream === 1 ? 1 : limit
  if (allowed !== null && isUsedUp(file, allowed)) described.usedUp = true
  if (isGoneFile(file) && file.uploadedAt === null && upload.stream === 0) described.notUploaded = true
  if (reference !== null) described.reference = reference
  if (offset !== undefined) described.offset = offset
  if (file.preview === 1 && status === 'uploaded') described.preview = true
  // The upload lock of a resumable file names the instance of its connection.
  if (status === 'uploading' && instance === null) described.interrupted = true
  return described
}
