import { unlimited, type File, type Upload } from '@svc/contract'
import { downloadURL } from '../../domain/download-url.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { Service } from '../service.ts'

interface Seen {
  readonly admin: boolean
  readonly tellOwner: boolean
  readonly offsets?: ReadonlyMap<string, number> | undefined
}

/**
 * An upload as callers see it: without its token, its password, and where it came from.
 * @param seen `admin`: it is the caller's to manage; `tellOwner`: the caller may know whose it is; `offsets`: how far its
 * unfinished files are, by their ids
 */
export function describeUpload(
  { config }: Pick<Service, 'config'>,
  upload: UploadRecord,
  files: readonly FileRecord[],
  { admin, tellOwner, offsets }: Seen,
): Upload {
  const url = downloadURL(config)
  const described: Upload = {
    id: upload.id,
    ttl: upload.ttl < 0 ? unlimited : upload.ttl,
    extend_ttl: upload.extendTtl === 1,
    oneShot: upload.oneShot === 1,
    removable: upload.removable === 1,
    stream: upload.stream === 1,
    protectedByPassword: upload.passwordHash !== null,
    comments: upload.comments,
    e2ee: upload.e2ee,
    downloadDomain: config.downloadDomain,
    files: files.map((file) => describeFile(file, offsets?.get(file.id))),
    admin,
    createdAt: new Date(upload.createdAt).toISOString(),
    expireAt: upload.expireAt === null ? null : new Date(upload.expireAt).toISOString(),
  }
  if (url !== undefined) described.downloadURL = url
  if (tellOwner && upload.userId !== null) described.user = upload.userId
  return described
}

/** @param offset bytes that have come, of a file that comes in pieces */
export function describeFile(file: FileRecord, offset?: number): File {
  const { id, fileName, fileSize, type, md5, status, reference } = file
  const described: File = { id, fileName, fileSize, type, md5, status }
  if (reference !== null) described.reference = reference
  if (offset !== undefined) described.offset = offset
  return described
}
