import { isAgeHead, limits } from '@svc/contract'
import * as errors from '../../domain/errors.ts'
import { fileNotFound, previewNotFound } from '../../domain/not-found-errors.ts'
import { servedType } from '../../domain/files/media-type.ts'
import { isLimited } from '../../domain/limits/download-limit.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { requireDownloadable } from '../downloads/send-file.ts'
import type { Service } from '../service.ts'
import { sniffType } from '../uploads/media-type/sniff-type.ts'
import { ownerOf } from '../uploads/upload-owner.ts'

const previewTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp'])

/**
 * Adds the preview of a stored file. A file has one, which is never replaced: so a sender cannot write more than one for each
 * file.
 * @param receive reads the bytes, at most a number of them
 * @throws ServiceError `anonymous_refused`, `feature_disabled`, `preview_refused`, `preview_exists`, `file_not_found`, `not_encrypted`,
 * `unsupported_media_type`, `no_space`, and those of `receive`
 */
export async function addPreview(
  { config, rowSpace, store }: Pick<Service, 'config' | 'rowSpace' | 'store'>,
  upload: UploadRecord,
  file: FileRecord,
  receive: (maxBytes: number) => Promise<Uint8Array>,
): Promise<void> {
  // As for a file: where authentication is forced, guests add nothing.
  await ownerOf({ config, store }, upload)
  if (config.features.feature_previews === 'disabled') throw errors.featureDisabled('adding previews')
  requireDownloadable(file)
  // The preview of a file that can be downloaded once would be a second download of what it shows.
  if (isLimited(upload) || upload.stream === 1)
    throw errors.previewRefused('files of streams and of uploads with a download limit have no previews')
  if (file.preview === 1) throw errors.previewExists()
  const content = await receive(limits.previewBytes)
  // Limits and quotas count the bytes of files: an empty file cannot bring more.
  if (content.length > file.fileSize) throw errors.previewRefused('a preview is not larger than its file')
  await requireImage(upload, content)
  await rowSpace.require(content.length)
  const { id, uploadId } = file
  await store.transaction(async (transaction) => {
    if (await transaction.files.addPreview(file)) {
      await transaction.previews.insert({ fileId: id, uploadId, content })
      return
    }
    const current = await transaction.files.find(uploadId, id)
    throw current?.preview === 1 ? errors.previewExists() : fileNotFound()
  })
}

/** Only the first bytes are checked: nothing of an image is decoded here. */
async function requireImage(upload: UploadRecord, content: Uint8Array): Promise<void> {
  if (upload.e2ee !== '') {
    if (!isAgeHead(content)) throw errors.notEncrypted(upload.e2ee)
  } else if (!previewTypes.has(await sniffType(content)))
    throw errors.unsupportedMediaType('a JPEG, PNG or WebP image')
}

/** A preview as it is sent. */
export interface Preview {
  readonly content: Uint8Array
  /** Its `Content-Type`. */
  readonly type: string
}

/** @throws ServiceError `file_not_found` when the file is not stored, or has no preview */
export async function readPreview(
  { store }: Pick<Service, 'store'>,
  upload: UploadRecord,
  file: FileRecord,
): Promise<Preview> {
  requireDownloadable(file)
  const content = file.preview === 1 ? await store.previews.find(file.id) : undefined
  if (content === undefined) throw previewNotFound()
  // An import may bring any bytes.
  const type = await sniffType(content)
  return { content, type: servedType(previewTypes.has(type) ? type : '', { e2ee: upload.e2ee !== '' }) }
}
